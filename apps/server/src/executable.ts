/**
 * Entry of the single executable, which carries the runtime, the server, its worker threads and the console.
 * The runtime reads its limit of requests at once when the process starts: without the variable, the process replaces itself by one
 * that has it, under the same id. Windows cannot do that and keeps the runtime's own limit of 256 (calls through proxies alone).
 */
const requestsAtOnce = { BUN_CONFIG_MAX_HTTP_REQUESTS: '65535' }
const { env, execPath, platform } = process

if (env['BUN_CONFIG_MAX_HTTP_REQUESTS'] === undefined && platform !== 'win32')
  process.execve?.(execPath, [execPath, ...process.argv.slice(2)], { ...env, ...requestsAtOnce })

await import('./main.ts')

export {}
