/**
 * Entry of the single executable, which carries the runtime, the server, its worker threads and the console.
 * The runtime reads some variables when the process starts: without them, the process replaces itself by one that has them, under the same
 * id. Windows cannot do that and keeps the runtime's own values (256 requests at once, of calls through proxies alone). See
 * `runtimeVariables` in scripts/lib/launch.mjs.
 */
const runtimeVariables = { BUN_CONFIG_MAX_HTTP_REQUESTS: '65535', MIMALLOC_PURGE_DELAY: '1000' }
const { env, execPath, platform } = process

if (Object.keys(runtimeVariables).some((name) => env[name] === undefined) && platform !== 'win32')
  process.execve?.(execPath, [execPath, ...process.argv.slice(2)], { ...runtimeVariables, ...env })

await import('./main.ts')

export {}
