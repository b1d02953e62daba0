import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'

/** Something the command palette can do. Texts are already translated. */
export interface Command {
  readonly id: string
  readonly title: string
  readonly group: string
  readonly icon?: LucideIcon
  /** Other words it is found by. */
  readonly keywords?: readonly string[]
  readonly shortcut?: string
  readonly run: () => void
}

let registered: readonly Command[] = []
const listeners = new Set<() => void>()

function change(next: readonly Command[]): void {
  registered = next
  for (const listener of listeners) listener()
}

/** Adds commands to the palette while the component is on screen. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands)
  useEffect(() => {
    latest.current = commands
  })
  const signature = commands.map((command) => `${command.id}=${command.title}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature stands for the list; `run` is read late
  useEffect(() => {
    const mine = latest.current.map((command, index) => ({
      ...command,
      run: () => latest.current[index]?.run(),
    }))
    change([...registered, ...mine])
    return () => change(registered.filter((command) => !mine.includes(command)))
  }, [signature])
}

export function useRegisteredCommands(): readonly Command[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => registered,
  )
}
