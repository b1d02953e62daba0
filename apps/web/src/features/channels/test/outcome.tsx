import { Circle, CircleCheck, CircleX, LoaderCircle } from 'lucide-react'
import { cx } from '../../../lib/cx.ts'
import type { Outcome } from './run.ts'

const icons = { waiting: Circle, running: LoaderCircle, done: CircleCheck, failed: CircleX } as const
const colours = {
  waiting: 'text-faint',
  running: 'animate-spin text-muted',
  done: 'text-good',
  failed: 'text-bad',
}

export function OutcomeIcon({ outcome }: { readonly outcome: Outcome | undefined }) {
  const state = outcome?.state ?? 'waiting'
  const Icon = icons[state]
  return <Icon className={cx('size-4 shrink-0', colours[state])} aria-hidden />
}

export function FailureText({ outcome }: { readonly outcome: Outcome | undefined }) {
  if (outcome?.state !== 'failed') return null
  return <span className="block break-words text-bad text-xs">{outcome.message}</span>
}
