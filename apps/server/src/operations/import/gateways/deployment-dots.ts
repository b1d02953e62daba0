import { typeSwitches } from '@tollgate/api'
import type { ChannelRow } from './tables.ts'

/** new-api: channels that were made before call deployments by names without dots. */
const dotsSince = Date.UTC(2025, 4, 10) / 1000

/**
 * Tells whether the older gateway takes the dots out of the names of deployments.
 * @param isOldProgram one-api, and new-api from before the rule had a date, do so for every channel
 */
export function stripsDots({ type, created_time }: ChannelRow, isOldProgram: boolean): boolean {
  return type === typeSwitches.strip_deployment_dots && (isOldProgram || created_time < dotsSince)
}

/**
 * A mapping whose last names have no dots. The switch for dots takes a name that the operator mapped to at its word; the older
 * gateway did not.
 */
export function withoutDots(mapping: string): string {
  const steps = stepsOf(mapping)
  if (steps === undefined) return mapping
  const isLast = (name: unknown): name is string =>
    typeof name === 'string' && (!Object.hasOwn(steps, name) || steps[name] === name)
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(steps).map(([from, to]) => [from, isLast(to) ? to.replaceAll('.', '') : to]),
    ),
  )
}

function stepsOf(mapping: string): Readonly<Record<string, unknown>> | undefined {
  if (!mapping.includes('.')) return undefined
  try {
    const value: unknown = JSON.parse(mapping)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
