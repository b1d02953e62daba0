import { runCommand } from '../lib/command-error.mjs'
import { at } from '../lib/root.mjs'
import { packNpmPackage } from './npm-package.ts'
import { sayAloud } from './say.ts'

/** `npm run build:package`: packs the npm package into `dist/`. */
await runCommand(async () => {
  console.log(await packNpmPackage(at('dist'), sayAloud))
  return 0
})
