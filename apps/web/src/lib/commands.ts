import type { LucideIcon } from 'lucide-react'
import { useMountedEntries } from './mounted-list.ts'
import { createSharedState, useSharedState } from './shared-state.ts'

/** Something the command palette can do. Texts are already translated. */
export interface Command {
  readonly id: string
  readonly title: string
  readonly group: string
  readonly icon?: LucideIcon
  /** Other words that find it. */
  readonly keywords?: readonly string[]
  readonly shortcut?: string
  readonly run: () => void
}

const registered = createSharedState<readonly Command[]>([])

/** Adds commands to the palette while the component is mounted. */
export function useCommands(commands: readonly Command[]): void {
  useMountedEntries(registered, commands, ({ id, title }) => `${id}=${title}`)
}

export function useRegisteredCommands(): readonly Command[] {
  return useSharedState(registered)
}
