import { toolVariables } from './install-tools.mjs'

/**
 * Environment of every suite: where the tools are, and as many upstream requests at once as the product allows itself.
 * @returns {NodeJS.ProcessEnv}
 */
export function suiteEnvironment() {
  return { BUN_CONFIG_MAX_HTTP_REQUESTS: '65535', NO_COLOR: '1', ...process.env, ...toolVariables() }
}
