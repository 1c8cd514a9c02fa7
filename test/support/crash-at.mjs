// Preloaded into a hub that is to die: with SIGKILL at the CRASH_AT-th moment after the first statement that
// CRASH_FROM matches. Each statement has two moments: before it is sent, and after its answer came.
import pg from 'pg';

const at = Number(process.env.CRASH_AT);
const from = new RegExp(process.env.CRASH_FROM ?? '$^');
const counted =
  /idempotency_keys|operations|app|audit_events|configuration|pg_notify|collection|providers|^commit|^begin/i;
let moments = 0;
let armed = false;

function moment() {
  moments++;
  if (moments === at) process.kill(process.pid, 'SIGKILL');
}

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function crashing(first, ...rest) {
  const text = typeof first === 'string' ? first : (first?.text ?? '');
  armed ||= from.test(text);
  const answer = armed && counted.test(text) && !text.includes('pgboss');
  if (answer) moment();
  const result = query.call(this, first, ...rest);
  if (answer && typeof result?.then === 'function') result.then(moment, () => undefined);
  return result;
};
