import { toolVariables } from './install-tools.mjs'
import { runtimeVariables } from './launch.mjs'

/**
 * Environment of every suite: where the tools are, and the variables of the runtime that the product sets.
 * @returns {NodeJS.ProcessEnv}
 */
export function suiteEnvironment() {
  return { ...runtimeVariables, NO_COLOR: '1', ...process.env, ...toolVariables() }
}

/**
 * Variables for programs that live for seconds beside others: more threads that collect garbage than one cost them a twentieth of their processor
 * time. What measures runs without them.
 */
export const briefPrograms = { BUN_JSC_numberOfGCMarkers: '1' }
