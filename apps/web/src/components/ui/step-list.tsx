import { Link, type LinkProps } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { cx } from '../../lib/cx.ts'

interface Step {
  readonly title: string
  readonly hint: string
  readonly to: NonNullable<LinkProps['to']>
  readonly done: boolean
}

interface StepListProps {
  readonly steps: readonly Step[]
  /** Text of screen readers for a step that is done. */
  readonly doneLabel: string
  readonly className?: string
}

/** Numbered steps, each a link until it is done. */
export function StepList({ steps, doneLabel, className }: StepListProps) {
  const next = steps.find(({ done }) => !done)
  const look = 'flex h-full items-start gap-3 rounded px-1.5 py-2'
  return (
    <ol className={cx('-mx-1.5 grid gap-1', className)}>
      {steps.map((step, index) => {
        const body = (
          <>
            <span
              className={cx(
                'figures mt-px grid size-5 shrink-0 place-items-center rounded-full border font-medium text-2xs',
                step.done && 'border-transparent bg-good-soft text-good',
                step === next && 'border-transparent bg-accent text-on-accent',
              )}
            >
              {step.done ? <Check className="size-3 stroke-3" aria-label={doneLabel} /> : index + 1}
            </span>
            <span className="min-w-0">
              <span className={cx('block font-medium', step.done && 'text-muted')}>{step.title}</span>
              <span className="block text-muted text-xs">{step.hint}</span>
            </span>
          </>
        )
        return (
          <li key={step.title}>
            {step.done ? (
              <div className={look}>{body}</div>
            ) : (
              <Link to={step.to} className={`${look} transition-colors hover:bg-hover`}>
                {body}
              </Link>
            )}
          </li>
        )
      })}
    </ol>
  )
}
