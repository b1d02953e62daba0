import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useReloadQuestion } from '../../../lib/session/reload-question.ts'
import { useUnsavedWork } from '../../../lib/session/unsaved-work.ts'

interface TypedWork {
  /** Something was typed and not saved. */
  readonly dirty: boolean
  /** A save is on its way. */
  readonly saving?: boolean
  /** The form opens another page itself when it is done: only the browser's own way back and forth loses work then. */
  readonly leadsOn?: boolean
}

/**
 * Asks before typed work is lost, whether the person closes what holds it, leaves the page or loads it anew. While a save is on its way
 * it may lead away from the form: that still counts as changed then, but nothing is lost. A save that was refused leaves
 * the question in force.
 */
export function useLeaveQuestion(onClose: () => void, { dirty, saving = false, leadsOn = false }: TypedWork) {
  useUnsavedWork(dirty || saving)
  const [closing, setClosing] = useState(false)
  const allowed = useRef(false)
  const savingNow = useRef(saving)
  useEffect(() => {
    savingNow.current = saving
  }, [saving])
  // Leave to lose one text is none to lose the next: a panel stays, closed, and is opened again.
  useEffect(() => {
    if (!dirty) allowed.current = false
  }, [dirty])
  const losesWork = () => dirty && !allowed.current && !savingNow.current
  useReloadQuestion(losesWork)
  const blocker = useBlocker({
    shouldBlockFn: ({ action }) => losesWork() && !(leadsOn && (action === 'PUSH' || action === 'REPLACE')),
    enableBeforeUnload: false,
    withResolver: true,
  })
  return {
    asking: closing || blocker.status === 'blocked',
    ask() {
      if (dirty) return setClosing(true)
      onClose()
    },
    stay() {
      setClosing(false)
      blocker.reset?.()
    },
    go() {
      allowed.current = true
      setClosing(false)
      if (blocker.status === 'blocked') blocker.proceed()
      else onClose()
    },
    /** Permits a submit that leaves at once, because there is nothing to be saved. */
    allowDuring(submit: () => void) {
      allowed.current = true
      submit()
      setTimeout(() => {
        allowed.current = false
      })
    },
  }
}
