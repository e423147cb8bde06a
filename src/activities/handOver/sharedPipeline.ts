import type { KeyObject } from 'node:crypto';
import os from 'node:os';
import type { Document } from 'bson';
import { Counter } from 'prom-client';
import type { Pipeline } from '#activities/pipeline/pipeline';
import type { PipelineRequest } from '#activities/state/pipelineRequest';
import { ServiceError } from '#base/common/errors';
import { toServiceError } from '#base/db/toServiceError';
import { type PeerLink, PeerLost } from '#base/peers/peerLink';
import { joinPeers, type Peers } from '#base/peers/peers';
import { peerKeyOf } from '#base/peers/peerTls';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { callOf, canBeHandedOver, outcomeOf, replyOf, requestOf } from './handOverMessages';
import { OrgLoads, toldSpread } from './orgLoads';
import { ownerOf, rankedFor } from './owners';

const handedOver = new Counter({
  name: 'loyalty_handed_over_total',
  help: 'Activities that this process handed to another one, by whether it answered',
  labelNames: ['outcome'],
});

/** A pipeline that hands requests to other processes. */
export interface SharedPipeline extends Pipeline {
  /** Answers the requests that other processes have handed over, then leaves the group. */
  close(): Promise<void>;
}

type ShareServices = Pick<Infrastructure, 'config' | 'db' | 'log'> & { tokenKey: KeyObject };

/**
 * Shares work with the other processes that answer clients. One process owns an org and processes its activities in
 * large groups, which do not conflict; the others hand theirs over. With much to do, several own parts of its members.
 * That only makes it fast. When the owner does not answer, or processes differ about who it is, the guards of the
 * commits keep the ledger correct.
 */
export async function sharePipeline(own: Pipeline, services: ShareServices): Promise<SharedPipeline> {
  const { config, db, tokenKey } = services;
  const loads = new OrgLoads(() => own.pending());
  const peers = await joinPeers({
    db,
    host: config.PEER_HOST === 'hostname' ? os.hostname() : config.PEER_HOST,
    port: config.PEER_PORT,
    key: peerKeyOf(tokenKey),
    answer: (call, isGone) => answerCall(own, services, requestOf(call, isGone)),
    state: (seen) => loads.tell(seen),
  });
  const ownerLink = createOwnerLinks(peers);
  return {
    pending: () => own.pending(),
    idle: () => own.idle(),
    submit(request) {
      const link = canBeHandedOver(request) ? ownerLink(request) : undefined;
      return link ? handOver(own, link, request) : own.submit(request);
    },
    async close() {
      await peers.close();
      loads.close();
    },
  };
}

async function handOver(own: Pipeline, link: PeerLink, request: PipelineRequest) {
  let reply: Document;
  try {
    reply = await link.call(callOf(request));
  } catch (error) {
    if (!(error instanceof PeerLost)) throw error;
    handedOver.inc({ outcome: 'lost' });
    // The owner may have processed it before it was lost.
    return own.submit({ ...request, isRepeated: true });
  }
  handedOver.inc({ outcome: 'answered' });
  return outcomeOf(reply);
}

/** Processes what another process handed over. The process that asked does not see an error of the database itself. */
export async function answerCall(
  own: Pick<Pipeline, 'submit'>,
  { log }: Pick<ShareServices, 'log'>,
  request: PipelineRequest,
): Promise<Document> {
  try {
    return replyOf(await own.submit(request));
  } catch (err) {
    const error = toServiceError(err);
    if (!(err instanceof ServiceError) && error.reason === 'database') log.error({ err }, 'activity failed');
    return replyOf(error);
  }
}

/** Makes a function that finds the connection to the owner of a request; undefined when this process is the owner. */
export function createOwnerLinks(
  peers: Pick<Peers, 'id' | 'epoch' | 'seen' | 'link'>,
): (request: PipelineRequest) => PeerLink | undefined {
  let knownAt = -1;
  const owners = new Map<string, { ranked: string[]; spread: number }>();
  return (request) => {
    const { epoch } = peers;
    if (epoch !== knownAt) owners.clear();
    knownAt = epoch;
    const org = request.author.org.toHexString();
    let known = owners.get(org);
    if (!known) {
      const { id, members, states } = peers.seen();
      const ranked = rankedFor(org, members);
      known = { ranked: members.length > 1 ? ranked : [id], spread: toldSpread(org, ranked[0], states) };
      owners.set(org, known);
    }
    const owner = ownerOf(known.ranked, known.spread, memberOf(request));
    return owner === undefined || owner === peers.id ? undefined : peers.link(owner);
  };
}

function memberOf({ activity: { memberID, loyaltyID }, cancel }: PipelineRequest): string {
  return memberID?.toHexString() ?? loyaltyID ?? cancel?.originalId.toHexString() ?? '';
}
