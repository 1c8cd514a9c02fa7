// The child that looks for homes where one may hang: says what it found in one line, and is then given up.
import { type HomesToSee, seeHomes } from '../../homes/home-list.ts';

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const found = await seeHomes(JSON.parse(Buffer.concat(chunks).toString('utf8')) as HomesToSee);
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit());
