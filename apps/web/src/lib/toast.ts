import type { toast as Sonner } from 'sonner'

/** Time that a message stays, in ms: a success is glanced at; an error stays until it is closed. */
const durations = {
  success: 1500,
  info: 3000,
  warning: Number.POSITIVE_INFINITY,
  error: Number.POSITIVE_INFINITY,
} as const
/** Time to take a change back. */
const undoMs = 30_000
type Kind = keyof typeof durations

let loaded: Promise<typeof Sonner> | undefined

/** Loads the toast library, and with it the place where toasts appear, when the first one is shown. */
function load(): Promise<typeof Sonner> {
  loaded ??= import('./toaster.tsx').then((module) => module.mountToaster())
  return loaded
}

function show(kind: Kind, message: string): void {
  const duration = durations[kind]
  const closeButton = duration === Number.POSITIVE_INFINITY
  void load().then((sonner) => sonner[kind](message, { id: `${kind}:${message}`, duration, closeButton }))
}

/** Short messages about what just happened. The same message twice is shown once. */
export const toast = {
  success: (message: string) => show('success', message),
  info: (message: string) => show('info', message),
  error: (message: string) => show('error', message),
  warning: (message: string) => show('warning', message),
  /** Says what was changed, with a button that takes it back for half a minute. */
  undo: (message: string, label: string, run: () => void) =>
    void load().then((sonner) =>
      sonner.success(message, {
        id: `undo:${message}`,
        duration: undoMs,
        closeButton: true,
        action: { label, onClick: run },
      }),
    ),
  /** Removes all messages: their user has logged out. */
  clear: () => void loaded?.then((sonner) => sonner.dismiss()),
}
