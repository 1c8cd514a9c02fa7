// Worker process that lists homes where a mount may hang: writes its result as a single line, and is then killed.
import { type HomesToSee, seeHomes } from '../../homes/home-list.ts';

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const found = await seeHomes(JSON.parse(Buffer.concat(chunks).toString('utf8')) as HomesToSee);
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit());
