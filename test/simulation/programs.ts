// The made-up machine: programs that run, and what is installed.
import type {
  ScannedEntity,
  ScanResult,
} from '@gatewarden/agent/src/discovery/scan/entity-assembler.ts';
import type { CorrelatedProcess } from '@gatewarden/agent/src/processes/process-correlator.ts';
import type { RunningProcess } from '@gatewarden/agent/src/processes/running-process.ts';
import type { OwningEntity, ProcessFacts } from '@gatewarden/shared/policy.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { SeededRandom } from './simulated-environment.ts';

/** Higher than any that a system gives. */
const FIRST_PID = 5_000_000;

const OWNED: Record<string, OwningEntity[]> = {
  demo: [entity('b', 'ai_tool')],
  other: [entity('c', 'package')],
  tool: [],
};
export const PROGRAMS = Object.keys(OWNED);

/** Matches of the overrides that administrators write. */
export const MATCHES: OverrideMatch[] = [
  { name: 'demo' },
  { entity_id: 'b'.repeat(64) },
  { kind: 'ai_tool' },
  { publisher: 'Example' },
  { name: 'Tool' },
  { name: 'demo', platform: 'linux' },
  { name: 'other', platform: 'darwin' },
];

function entity(letter: string, kind: OwningEntity['kind']): OwningEntity {
  const entity_id = letter.repeat(64);
  return { entity_id, kind, name: `Product ${letter}`, version: '1.2', publisher: 'Example' };
}

/** The next process of a program: no two are the same. */
export const processOf = (program: string, number: number): RunningProcess => ({
  pid: FIRST_PID + number,
  ppid: 2000,
  uid: 1000,
  name: program,
  executablePath: `/home/person/bin/${program}`,
  startTicks: String(number),
  startedAt: null,
  kernelThread: false,
});

export const correlated = (process: RunningProcess): CorrelatedProcess => ({
  process,
  entities: OWNED[process.name] ?? [],
  mapping: null,
  vital: false,
  ownersKnown: true,
  executable: null,
  script: null,
  scriptEntities: new Set(),
  mappedOnly: null,
  switches: [],
});

/** The same for the rule that decides. */
export const factsOf = (program: string): ProcessFacts => ({
  name: program,
  application_name: null,
  publisher: null,
  sha256: null,
  entities: OWNED[program] ?? [],
});

const SOURCES = [
  { source: 'dpkg', owner: null },
  { source: 'chrome', owner: '1000' },
  { source: 'chrome', owner: '1001' },
] as const;
const PRODUCTS = 6;

/** The installed products: for each its version and its owners. */
export class Installed {
  private readonly products = new Map<number, { version: number; owners: (string | null)[] }>();
  /** Places that cannot be read now. */
  private unreadable = new Set<number>();

  constructor(dice: SeededRandom) {
    for (let i = 0; i < PRODUCTS; i++) if (dice.isHit(0.7)) this.install(i, dice);
  }

  /** Something is installed, updated or taken away; or a place can be read no longer, or again. */
  change(dice: SeededRandom): void {
    const product = dice.below(PRODUCTS);
    if (dice.isHit(0.35)) this.products.delete(product);
    else this.install(product, dice);
    this.unreadable = new Set(dice.isHit(0.3) ? [dice.below(SOURCES.length)] : []);
  }

  readAll(): void {
    this.unreadable = new Set();
  }

  private install(product: number, dice: SeededRandom): void {
    const owners = product < 3 ? [null] : dice.of([['1000'], ['1001'], ['1000', '1001']]);
    this.products.set(product, { version: dice.below(4), owners });
  }

  scan(at: Date): ScanResult {
    const isRead = (source: string, owner: string | null) =>
      !SOURCES.some(
        (item, i) => item.source === source && item.owner === owner && this.unreadable.has(i),
      );
    const entities = [...this.products].flatMap(([product, { version, owners }]) => {
      const source = product < 3 ? 'dpkg' : 'chrome';
      const seen = owners.filter((owner) => isRead(source, owner));
      return seen.length === 0 ? [] : [scanned(product, source, version, seen)];
    });
    return {
      startedAt: at,
      durationMs: 1,
      entities,
      coverage: SOURCES.map(({ source, owner }) => ({
        source,
        owner,
        state: isRead(source, owner) ? 'read' : 'unreadable',
        entities: 0,
        reason: null,
      })),
      problems: [],
    };
  }
}

function scanned(
  product: number,
  source: string,
  version: number,
  owners: (string | null)[],
): ScannedEntity {
  return {
    wire: {
      entity_id: String(product).repeat(64),
      kind: 'application',
      source,
      name: `Product ${product}`,
      version: `1.${version}`,
      instances: owners.map((owner) => ({ owner, path: null, version: `1.${version}` })),
    },
    owners,
    key: String(product),
    executables: [],
    launches: [],
    entries: [],
  };
}
