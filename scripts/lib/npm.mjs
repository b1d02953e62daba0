import { run } from './run.mjs'

/**
 * Runs npm: the one that runs this script, else the one on the path (a direct `node scripts/start.mjs`).
 * @param {readonly string[]} args
 * @param {string} cwd
 */
export function npm(args, cwd) {
  const script = process.env.npm_execpath
  return script !== undefined && /npm-cli\.c?js$/.test(script)
    ? run(process.execPath, [script, ...args], { cwd })
    : run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd })
}
