import dgram from 'node:dgram';

/** A name server in this process. It answers every name with the addresses that it was told last. */
export interface NameServer {
  /** `address:port` */
  address: string;
  /** The questions that it was asked. */
  queries: string[];
  /** IPv4 addresses for the next answers. */
  answer(...addresses: string[]): void;
  close(): Promise<void>;
}

/** Opens a name server for IPv4 addresses. To questions for others it answers that there are none. */
export async function openNameServer(): Promise<NameServer> {
  let addresses: string[] = [];
  const requests: string[] = [];
  const socket = dgram.createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const end = question.indexOf(0, 12) + 5;
    const type = question.readUInt16BE(end - 4);
    requests.push(`${nameIn(question)} ${type}`);
    const records = type === 1 ? addresses.map(recordOf) : [];
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt16BE(0, 8);
    head.writeUInt16BE(0, 10);
    socket.send(Buffer.concat([head, question.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries: requests,
    answer(...next) {
      addresses = next;
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; question[at]; at += (question[at] ?? 0) + 1) {
    labels.push(question.toString('ascii', at + 1, at + 1 + (question[at] ?? 0)));
  }
  return labels.join('.');
}

/** An answer for the name at the beginning of the question, which may not be kept. */
function recordOf(address: string): Buffer {
  return Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
}
