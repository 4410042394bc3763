// A program: sends leads over keep-alive connections, one request at a time on each, and reports the time of each response. Receives its
// command and sends its report by IPC.
import { Pool } from 'undici';

import { leadBody } from './support/lead-body.ts';
import type { SenderOrder, SenderReport, SentLead } from './support/load.ts';
import { percentile } from './support/numbers.ts';

process.once('message', (order) => {
  void send(order as SenderOrder).then((report) => process.send?.(report, () => process.disconnect()));
});

async function send(order: SenderOrder): Promise<SenderReport> {
  const { connections, seconds, rate } = order;
  const pool = new Pool(order.url, { connections, pipelining: 1 });
  const sent: SentLead[] = [];
  const latencies: number[] = [];
  let failed = 0;
  let number = order.first;
  const began = nowMicros();
  const end = began + seconds * 1e6;

  const sendOne = async (): Promise<void> => {
    const mine = number;
    number += 1;
    const startedAt = nowMicros();
    const { statusCode, body } = await pool.request({
      path: '/api/v1/ingest',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': order.key },
      body: leadBody(order.run, mine),
    });
    const answeredAt = nowMicros();
    await body.dump();
    latencies.push((answeredAt - startedAt) / 1000);
    if (statusCode === 202) sent.push({ number: mine, answeredAt });
    else failed += 1;
  };

  if (rate === null) {
    const worker = async (): Promise<void> => {
      while (nowMicros() < end) await sendOne();
    };
    await Promise.all(Array.from({ length: connections }, worker));
  } else {
    // Each at its own time, with or without a response to the previous one, as independent senders would.
    const total = seconds * rate;
    const at = (index: number): number => began / 1000 + (index * 1000) / rate;
    await Promise.all(
      Array.from({ length: total }, async (_, index) => {
        await sleepUntil(at(index));
        await sendOne();
      }),
    );
  }
  const elapsedSeconds = (nowMicros() - began) / 1e6;
  await pool.close();
  return {
    perSecond: sent.length / elapsedSeconds,
    p50Ms: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
    failed,
    sent,
  };
}

function sleepUntil(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms - nowMicros() / 1000)));
}

function nowMicros(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
