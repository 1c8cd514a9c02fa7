// Requests that ask the database the same kind of question at the same time ask it together. Who asks joins only a
// statement that has not been sent yet: what was written before the question is always in the answer.
import { outsideTenants, withinTenant } from './tenant-connections.ts';

/** Answers a question, alone or together with others. */
export type BatchLoader<Question, Answer> = (question: Question) => Promise<Answer>;

const MAX_AT_ONCE = 500;

/**
 * `ask` answers many questions, in their order, by one statement. While one is under way the next gather. Each question
 * rejects with what `ask` threw for the statement that it was part of.
 */
export function createBatchLoader<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): BatchLoader<Question, Answer> {
  type Waiting = {
    question: Question;
    resolve(answer: Answer): void;
    reject(error: unknown): void;
  };
  const waiting: Waiting[] = [];
  let isBusy = false;
  const send = async () => {
    const sent = waiting.splice(0, MAX_AT_ONCE);
    try {
      const answers = await outsideTenants(() => ask(sent.map((one) => one.question)));
      for (const [i, one] of sent.entries()) one.resolve(answers[i] as Answer);
    } catch (error) {
      for (const one of sent) one.reject(error);
    }
    if (waiting.length > 0) return void send();
    isBusy = false;
  };
  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (isBusy) return;
      isBusy = true;
      // After all that is readable now was read: requests come in by the dozen.
      setImmediate(() => void send());
    });
}

/** The same of each tenant by itself and as that tenant: questions of one never wait for those of another. */
export function createTenantBatchLoader<Question, Answer>(
  ask: (tenantId: string, questions: readonly Question[]) => Promise<readonly Answer[]>,
): (tenantId: string, question: Question) => Promise<Answer> {
  const asking = new Map<string, { count: number; one: BatchLoader<Question, Answer> }>();
  const of = (tenantId: string) => {
    const known = asking.get(tenantId);
    if (known !== undefined) return known;
    const one = createBatchLoader((questions: readonly Question[]) =>
      withinTenant(tenantId, () => ask(tenantId, questions)),
    );
    const made = { count: 0, one };
    asking.set(tenantId, made);
    return made;
  };
  return async (tenantId, question) => {
    const theirs = of(tenantId);
    theirs.count += 1;
    try {
      return await theirs.one(question);
    } finally {
      theirs.count -= 1;
      if (theirs.count === 0) asking.delete(tenantId);
    }
  };
}
