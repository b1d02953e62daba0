/**
 * A program of the repository that npm runs: what it needs built and installed, and where it starts.
 * @typedef {object} Program
 * @property {string} file
 * @property {boolean} [server] the built server
 * @property {boolean} [console] the built console
 * @property {readonly (keyof typeof import('./lib/tools.mjs').tools)[]} [needs] programs that npm cannot bring
 */

/** Programs by the name that npm knows. @type {Readonly<Record<string, Program>>} */
export const programs = {
  bench: { file: 'bench/run.ts', server: true, needs: ['nginx', 'wrk', 'postgres'] },
  'bench:cores': { file: 'bench/fleet/cores.ts', server: true, needs: ['nginx', 'wrk', 'postgres'] },
  'bench:costs': { file: 'bench/fleet/costs.ts', server: true, needs: ['nginx', 'wrk', 'postgres'] },
  'bench:formats': { file: 'bench/formats.ts' },
  'bench:http': { file: 'bench/http.ts', needs: ['nginx', 'wrk'] },
  'bench:log-index': { file: 'bench/log-index.ts' },
  'bench:log-pages': { file: 'bench/log-pages.ts', server: true },
  'build:binary': { file: 'scripts/ship/binary-main.ts', console: true },
  'build:package': { file: 'scripts/ship/package-main.ts', server: true, console: true },
  fuzz: { file: 'scripts/fuzz/main.ts' },
  notices: { file: 'scripts/ship/notices-main.ts' },
  release: { file: 'scripts/release/main.ts', server: true, console: true },
  'docs:providers': { file: 'scripts/docs/main.ts' },
  migrations: { file: 'scripts/migrations/main.ts' },
  models: { file: 'scripts/models/main.ts' },
  screenshots: { file: 'tests/screenshots/main.ts', server: true, console: true, needs: ['chromium'] },
  replay: { file: 'tests/replay/main.ts', server: true },
  size: { file: 'tests/size/main.ts', server: true, console: true, needs: ['chromium'] },
  stats: { file: 'scripts/stats/main.ts' },
  'test:clients': { file: 'tests/clients/main.ts', server: true },
  'test:frameworks': { file: 'tests/frameworks/main.ts', server: true },
  trace: { file: 'scripts/trace/main.ts' },
  lists: { file: 'tests/vitals/lists/main.ts', server: true, console: true, needs: ['chromium'] },
  vitals: { file: 'tests/vitals/main.ts', server: true, console: true, needs: ['chromium'] },
  walk: { file: 'tests/walk/main.ts', server: true },
}
