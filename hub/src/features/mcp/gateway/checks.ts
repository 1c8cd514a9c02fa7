// What a call must meet before the server sees anything of it, and its answer before the client does: the rules of the
// tenant that concern this backend and tool.
import { randomUUID } from 'node:crypto';
import { neighboringDoubles } from '../../../platform/http/json/lossless-numbers.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { Approvals } from '../approvals/index.ts';
import {
  type ApprovalNeed,
  type CompiledSchema,
  failureOf,
  type Guardrail,
  type Prediction,
  type RuleSet,
  type Scanned,
  scanned,
  type TimeLeft,
  TooSlow,
  timeFor,
} from '../call-rules/index.ts';
import { mayUse } from '../rules/index.ts';
import { questionOf, saysYes } from './approval-question.ts';
import { type Asker, askedByRequest, isParked, mayAsk, requestDigest } from './asking.ts';
import { Blocked, RPC, type Rpc, RpcError } from './messages.ts';
import { type Era, metaOf } from './revisions.ts';
import { added, NORMAL, type Verdict, verdictOf } from './verdicts.ts';

/** What the rules found, as the log row tells it. */
export interface Guarded {
  input: Verdict;
  output: Verdict;
  /** The arguments as they may be kept. */
  arguments: unknown;
  /** The word of a person that lets it through. */
  approvalId: string | null;
  /** By the rules for what goes in. */
  isLookedAt: boolean;
}

export interface Checking extends Asker {
  era: Era;
  person: string;
  approvals: Approvals;
}

export interface Checked {
  backend: { backendId: string; name: string };
  /** Null: no call of a tool. */
  tool: string | null;
  method: string;
  params: Record<string, unknown>;
}

/** The rules that concern this; null where none does. */
export function rulesFor(
  set: RuleSet,
  { backend, tool }: Pick<Checked, 'backend' | 'tool'>,
): RuleSet | null {
  const concerns = (one: { backendId: string | null; tool: string }) =>
    (one.backendId === null || one.backendId === backend.backendId) &&
    (tool === null ? one.tool === '*' : mayUse(tool, { allow: [one.tool] }));
  const found: RuleSet = {
    arguments: tool === null ? [] : set.arguments.filter(concerns),
    approvals: tool === null ? [] : set.approvals.filter(concerns),
    input: set.input.filter(concerns),
    output: set.output.filter(concerns),
  };
  return Object.values(found).some((one) => one.length > 0) ? found : null;
}

/** Lets a request through where it meets the rules, and its answer. Throws Blocked. */
export async function* checked(
  scene: Checking,
  rules: RuleSet,
  sent: Checked,
  guarded: Guarded,
  pass: (params: Record<string, unknown>) => AsyncGenerator<Rpc>,
): AsyncGenerator<Rpc> {
  // The older revision knows no states: whoever sends one there begins anew, and nobody is shown it.
  const asked = scene.era === 'legacy' ? { ...sent, params: withoutState(sent.params) } : sent;
  const digest = requestDigest(asked.method, asked.params);
  const state = openedState(scene, digest, asked.params);
  if (state.passed !== undefined) await useOnce(scene, state.passed);
  if (!state.isPassed) checkArguments(rules, asked, guarded);
  let params = checkInput(rules, asked, guarded);
  const need = state.isPassed ? undefined : needOf(rules.approvals);
  if (need !== undefined) {
    const isAsked = yield* approved(scene, need, { ...asked, params }, { digest, state }, guarded);
    if (isAsked) return;
    if (state.approvalId !== null) params = withoutState(params);
  }
  if (state.passed !== undefined) params = { ...params, requestState: state.passed.state };
  for await (const one of pass(params)) {
    const safe = checkOutput(rules.output, one, guarded);
    if (safe === null) continue;
    yield rules.approvals.length === 0 ? safe : withPassed(scene, digest, safe);
  }
}

function checkArguments(rules: RuleSet, { params }: Checked, guarded: Guarded): void {
  const sent = params.arguments ?? {};
  const left = timeFor();
  for (const { schema, ruleId, name } of rules.arguments) {
    const failure = failureWith(schema, sent, left);
    if (failure === null) continue;
    const { pointer, problem } = failure;
    guarded.input = {
      outcome: 'blocked',
      predictions: [
        { rule_id: ruleId, rule: name, action: 'block', category: 'arguments', pointer },
      ],
    };
    throw new Blocked(
      `The rule "${name}" doesn't allow these arguments: ${pointer === '' ? 'they' : pointer} ${problem}.`,
      { rule_id: ruleId, rule: name, pointer: `/arguments${pointer}` },
    );
  }
}

function failureWith(
  schema: CompiledSchema,
  sent: unknown,
  left: TimeLeft,
): ReturnType<typeof failureOf> {
  try {
    // What passes has the digits that came: the double that they stand for, and those beside it, must do as well.
    for (const one of [sent, ...neighboringDoubles(sent)]) {
      const failure = failureOf(schema, one, left);
      if (failure !== null) return failure;
    }
    return null;
  } catch (error) {
    if (!(error instanceof TooSlow)) throw error;
    return { pointer: '', problem: 'take too long to check' };
  }
}

function checkInput(
  { input }: RuleSet,
  { params, tool }: Checked,
  guarded: Guarded,
): Record<string, unknown> {
  guarded.isLookedAt = true;
  if (input.length === 0) return params;
  const { _meta, requestState, ...said } = params;
  // A tool's name, a resource's address, or a state is what was asked for: it is looked at, and never changed.
  const { name, uri, ref } = said;
  const { protocol, own } = metaOf(_meta);
  // A state that we did not seal may say anything.
  const isForeign = typeof requestState === 'string' && !isOurs(params);
  const looked = {
    ...said,
    ...(own === null ? {} : { _meta: own }),
    ...(isForeign ? { requestState } : {}),
  };
  const { value, masked, predictions } = scan(looked, input, guarded, 'input');
  guarded.input = verdictOf(predictions);
  const safe = (guarded.input.outcome === 'blocked' ? masked : value) as Record<string, unknown>;
  guarded.arguments = keptOf(tool, safe);
  refuse(predictions, 'the call');
  const passed = value as Record<string, unknown>;
  const meta = own === null ? _meta : { ...protocol, ...(passed._meta as object) };
  const rest = { name, uri, ref, requestState, _meta: meta };
  const given = Object.entries(rest).filter(([, one]) => one !== undefined);
  return { ...passed, ...Object.fromEntries(given) };
}

/** What passes of a message. Null: it is left out. Throws Blocked. */
export function checkOutput(
  output: readonly Guardrail[],
  message: Rpc,
  guarded: Guarded,
): Rpc | null {
  if (output.length === 0) return message;
  const { jsonrpc, id, method, ...content } = message;
  const { value, predictions } = scan(content, output, guarded, 'output');
  const before = guarded.output.predictions as Prediction[];
  guarded.output = verdictOf(added(before, predictions));
  const isNotice = method !== undefined && id == null;
  if (isNotice && predictions.some((one) => one.action === 'block')) return null;
  refuse(predictions, 'the response');
  return value === content ? message : ({ jsonrpc, id, method, ...(value as object) } as Rpc);
}

/** What the log keeps of a request: a call's arguments, of others what they ask for. */
export function keptOf(tool: string | null, params: Record<string, unknown>): unknown {
  if (tool !== null) return params.arguments;
  const { _meta, requestState, inputResponses, ...asked } = params;
  return asked;
}

function scan(
  value: unknown,
  rules: readonly Guardrail[],
  guarded: Guarded,
  side: 'input' | 'output',
): Scanned {
  try {
    return scanned(value, rules);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const strictOnes = rules.filter((one) => one.action !== 'monitor');
    const [strict] = strictOnes;
    if (strict === undefined) return { value, masked: value, predictions: [] };
    const isSlow = error instanceof TooSlow;
    // What only monitors takes nobody's time from those that decide.
    if (isSlow && strictOnes.length < rules.length) return scan(value, strictOnes, guarded, side);
    const category = isSlow ? 'too_slow' : 'too_large';
    guarded[side] = {
      outcome: 'blocked',
      predictions: [{ rule_id: strict.ruleId, rule: strict.name, action: 'block', category }],
    };
    if (side === 'input') guarded.arguments = null;
    const why = isSlow ? 'takes too long' : 'is too large';
    throw new Blocked(`The content ${why} for a check by the rule "${strict.name}".`, {
      rule_id: strict.ruleId,
      rule: strict.name,
    });
  }
}

function refuse(predictions: readonly Prediction[], what: string): void {
  const found = predictions.find((one) => one.action === 'block');
  if (found === undefined) return;
  throw new Blocked(`The rule "${found.rule}" blocked ${what}: it contains ${found.category}.`, {
    rule_id: found.rule_id,
    rule: found.rule,
    category: found.category,
  });
}

/** Somebody else's word counts for more than one's own. */
function needOf(needs: readonly ApprovalNeed[]): ApprovalNeed | undefined {
  return needs.find((one) => one.by === 'reviewer') ?? needs[0];
}

const WAITS = 'gw2.';
const PASSED = 'gw3.';

/** How long uses are known. */
const PASSED_MS = 23 * 60 * 60_000;

interface Passed {
  /** The server's own, as it gave it. */
  state: string;
  id: string;
  at: number;
}

interface State {
  /** This request goes on with one that met the rules. */
  isPassed: boolean;
  passed?: Passed;
  /** The approval that the client was sent for. */
  approvalId: string | null;
}

const bindingOf = ({ owner }: Asker, kind: string, digest: string) => [
  kind,
  owner.hash.toString('hex'),
  digest,
];

function openedState(scene: Checking, digest: string, params: Record<string, unknown>): State {
  const { requestState } = params;
  if (typeof requestState !== 'string') return { isPassed: false, approvalId: null };
  // Whether it is one of ours turns out where it goes on, and it goes nowhere else.
  if (isParked(params)) return { isPassed: true, approvalId: null };
  const opened = (kind: string) =>
    scene.cursors.open(bindingOf(scene, kind, digest), requestState.slice(4));
  if (requestState.startsWith(WAITS)) {
    const approvalId = opened(WAITS);
    if (typeof approvalId !== 'string') throw badState();
    return { isPassed: false, approvalId };
  }
  if (requestState.startsWith(PASSED)) {
    const passed = opened(PASSED);
    if (!isObject(passed)) throw badState();
    return { isPassed: true, passed: passed as unknown as Passed, approvalId: null };
  }
  return { isPassed: false, approvalId: null };
}

/** Whether it has the form of a state that we sealed, which nothing else opens. */
const isOurs = (params: Record<string, unknown>) =>
  isParked(params) || [WAITS, PASSED].some((form) => String(params.requestState).startsWith(form));

const badState = () => new RpcError(RPC.invalidParams, 'Invalid or expired requestState');

/** What was approved is one call, however often its client comes back with the same answer. */
async function useOnce({ mail, tenantId }: Checking, { id, at }: Passed): Promise<void> {
  if (Date.now() - at > PASSED_MS || !(await mail.use(tenantId, id))) throw badState();
}

/** A server's state comes back with the mark that what began it was approved. */
function withPassed(scene: Checking, digest: string, message: Rpc): Rpc {
  const state = message.result?.requestState;
  if (typeof state !== 'string' || isParked(message.result)) return message;
  const passed: Passed = { state, id: randomUUID(), at: Date.now() };
  const sealed = scene.cursors.seal(bindingOf(scene, PASSED, digest), passed);
  return { ...message, result: { ...message.result, requestState: `${PASSED}${sealed}` } };
}

function withoutState(params: Record<string, unknown>): Record<string, unknown> {
  const { requestState: _state, inputResponses: _answers, ...rest } = params;
  return rest;
}

/** True: the client was sent for its person's word. False: it may go on. Throws Blocked. */
async function* approved(
  scene: Checking,
  need: ApprovalNeed,
  asked: Checked,
  { digest, state }: { digest: string; state: State },
  guarded: Guarded,
): AsyncGenerator<Rpc, boolean> {
  const call = {
    tenantId: scene.tenantId,
    ruleId: need.ruleId,
    backendId: asked.backend.backendId,
    tool: asked.tool ?? '',
    email: scene.person,
    arguments: asked.params.arguments,
    byReviewer: need.by === 'reviewer',
  };
  guarded.approvalId = await scene.approvals.take(call);
  if (guarded.approvalId !== null) return false;
  const question = questionOf(asked);
  const canAsk = need.by === 'caller' && mayAsk(scene.owner, question);
  if (canAsk && scene.era === 'modern' && state.approvalId === null) {
    const sealed = scene.cursors.seal(bindingOf(scene, WAITS, digest), randomUUID());
    const result = {
      resultType: 'input_required',
      inputRequests: { approval: question },
      requestState: `${WAITS}${sealed}`,
    };
    yield { jsonrpc: '2.0', result };
    return true;
  }
  if (canAsk && (scene.era === 'modern' || scene.takesStream)) {
    const isYes = saysYes(yield* answerOf(scene, asked, question));
    const approvalId = state.approvalId ?? randomUUID();
    if ((await scene.approvals.decided(call, approvalId, isYes)) && isYes) {
      guarded.approvalId = approvalId;
      return false;
    }
    guarded.input = blockedBy(need);
    throw new Blocked(`The call of "${asked.tool}" was denied.`, {
      rule_id: need.ruleId,
      rule: need.name,
    });
  }
  const waiting = await scene.approvals.ask(call);
  guarded.input = blockedBy(need);
  const who = need.by === 'reviewer' ? 'a reviewer' : 'you';
  throw new Blocked(
    waiting === null
      ? `The tool "${asked.tool}" needs approval, but too many calls are already waiting.`
      : `The tool "${asked.tool}" needs approval by ${who}, in the console under Tool approvals. Repeat the call after it is approved.`,
    { rule_id: need.ruleId, rule: need.name, approval_id: waiting },
  );
}

async function* answerOf(
  scene: Checking,
  { params }: Checked,
  question: ReturnType<typeof questionOf>,
): AsyncGenerator<Rpc, unknown> {
  if (scene.era === 'modern') {
    return isObject(params.inputResponses) ? params.inputResponses.approval : undefined;
  }
  const answers = yield* askedByRequest(scene, { approval: question });
  return answers.approval;
}

function blockedBy({ ruleId, name }: ApprovalNeed): Verdict {
  return {
    outcome: 'blocked',
    predictions: [{ rule_id: ruleId, rule: name, action: 'block', category: 'approval' }],
  };
}

export const unguarded = (): Guarded => ({
  input: NORMAL,
  output: NORMAL,
  arguments: undefined,
  approvalId: null,
  isLookedAt: false,
});
