import { type Mongoose, Schema } from 'mongoose';

/** The models of the ordinary design. They have the indexes that its lists need. */
export function ordinaryModels(mongoose: Mongoose) {
  const stamps = { timestamps: true };
  const member = { type: Schema.Types.ObjectId, required: true, index: true };
  const history = { type: Schema.Types.ObjectId, required: true, index: true };
  const number = { type: Number, required: true };
  const common = { createdBy: String, member };
  return {
    Member: mongoose.model(
      'Member',
      new Schema(
        {
          loyaltyID: { type: String, required: true, unique: true },
          balance: number,
          spend: number,
          visits: number,
        },
        { ...stamps, optimisticConcurrency: true },
      ),
    ),
    History: mongoose.model(
      'History',
      new Schema({ ...common, activity: Object, points: number, balance: number }, stamps),
    ),
    AccrualItem: mongoose.model(
      'AccrualItem',
      new Schema({ ...common, history, points: number, available: number, expiresAt: Date }, stamps),
    ),
    JournalEntry: mongoose.model(
      'JournalEntry',
      new Schema({ ...common, history, kind: String, points: number, balance: number }, stamps),
    ),
    MetricEvent: mongoose.model(
      'MetricEvent',
      new Schema({ ...common, spend: number, points: number, visits: number }, stamps),
    ),
  };
}
