import { readConfig } from '../../config.ts'
import type { Command } from '../../lib/command-line.ts'
import { localUrl } from '../../lib/listen-address.ts'

const timeoutMs = 3000

/**
 * Checks a gateway for containers without a shell: exit code 0 while the gateway at the environment's address is ready for calls.
 */
export const health: Command = {
  name: 'health',
  summary: 'exit with 0 when the gateway at HOST and PORT is ready for calls, else with 1',
  async run() {
    const { HOST, PORT } = readConfig(process.env)
    const url = `${localUrl(HOST, PORT)}/readyz`
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
      if (response.ok) return 0
      process.stderr.write(`tollgate: the gateway is not ready: ${await response.text()}\n`)
    } catch {
      process.stderr.write(`tollgate: nothing responds at ${url}\n`)
    }
    return 1
  },
}
