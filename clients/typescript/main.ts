/** Runs the example scenario on the site of the environment variables. */

import { siteOf } from './site';
import { runScenario } from './story';

try {
  await runScenario(siteOf(process.env), (line) => {
    console.log(line);
  });
} catch (error) {
  // For people, so without the stack.
  console.error(`The scenario failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
