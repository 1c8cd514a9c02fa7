// Reports the lifecycle of the service to the event log of Windows (log "Application", source "Gatewarden"), which
// administrators read and monitoring tools collect. Details are in the agent's own log.
import { agentScope } from '../../config/agent-scope.ts';
import { addressOf } from '../native-library.ts';
import { advapi32 } from './libraries.ts';

/** The source of the events, as the installers register it. */
const EVENT_SOURCE = 'Gatewarden';
/** The key of the registered source below HKLM. */
export const EVENT_SOURCE_KEY = `SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\${EVENT_SOURCE}`;

const ERROR_TYPE = 0x1;
const INFORMATION_TYPE = 0x4;
/** Ids and types of the events, listed in docs/reference/windows-events.md. */
const EVENTS = {
  started: { id: 1, type: INFORMATION_TYPE },
  stopped: { id: 2, type: INFORMATION_TYPE },
  failed: { id: 3, type: ERROR_TYPE },
  ended: { id: 4, type: ERROR_TYPE },
} as const;
/** The longest text of an event in UTF-16 units. */
const MAX_TEXT_UNITS = 31_839;
const POINTER_BYTES = 8;

/**
 * Writes an event; does nothing on other systems, and for a user's agent, which has no registered source. An event log
 * that refuses the event does not disturb the service.
 */
export function reportEvent(event: keyof typeof EVENTS, text: string): void {
  if (process.platform !== 'win32' || agentScope() === 'user') return;
  const { RegisterEventSourceW, ReportEventW, DeregisterEventSource } = advapi32();
  const source = RegisterEventSourceW(null, EVENT_SOURCE);
  if (source === 0) return;
  const { id, type } = EVENTS[event];
  ReportEventW(source, type, 0, id, null, 1, 0, encodeTexts(text), null);
  DeregisterEventSource(source);
}

/** Returns an array of one pointer, with the text that it points to behind it. */
function encodeTexts(text: string): Buffer {
  const encoded = Buffer.from(`${text.slice(0, MAX_TEXT_UNITS)}\0`, 'utf16le');
  const memory = Buffer.alloc(POINTER_BYTES + encoded.length);
  memory.writeBigUInt64LE(addressOf(memory) + BigInt(POINTER_BYTES));
  encoded.copy(memory, POINTER_BYTES);
  return memory;
}
