import { useEffect, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

/** Time between the two presses of a double click on desktops, and more than Enter takes to repeat. */
const doublePressMs = 500

/** Returns a gate for the presses that submit a form: neither a double click nor Enter that is held down is a second order. */
export function useSinglePress<Values extends FieldValues>(form: UseFormReturn<Values>) {
  const state = useRef({ underway: false, freeAt: 0 })
  // What is typed after a save is saved by the next press, however soon.
  useEffect(
    () =>
      form.watch(() => {
        state.current.freeAt = 0
      }).unsubscribe,
    [form],
  )
  function end(isSaved = false): void {
    state.current = { underway: false, freeAt: isSaved ? performance.now() + doublePressMs : 0 }
  }
  return {
    /**
     * Runs what a press does, unless it belongs to one before.
     * @param send resolves to whether something was sent: the gate then stays closed until `end`
     */
    async begin(send: () => Promise<boolean>): Promise<void> {
      const { underway, freeAt } = state.current
      if (underway || performance.now() < freeAt) return
      state.current.underway = true
      let isSent = false
      try {
        isSent = await send()
      } finally {
        if (!isSent) end()
      }
    },
    end,
  }
}
