/** Tells the story at the site that the environment names. */

import { siteOf } from './site';
import { tellStory } from './story';

try {
  await tellStory(siteOf(process.env), (line) => {
    console.log(line);
  });
} catch (error) {
  // For a person, so without the stack.
  console.error(`The story ends here: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
