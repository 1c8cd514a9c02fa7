// Worker process that lists homes where a mount may hang: writes its result as a single line, and is then killed.
import { discoverHomes, type HomeListingPlan } from '../../homes/home-list.ts';

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const found = await discoverHomes(
  JSON.parse(Buffer.concat(chunks).toString('utf8')) as HomeListingPlan,
);
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit());
