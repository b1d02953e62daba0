import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'

export interface CardProps {
  readonly title?: ReactNode
  readonly description?: ReactNode
  /** Control at the right of the title. */
  readonly action?: ReactNode
  readonly className?: string
  readonly children?: ReactNode
}

/** A box of things that belong together. */
export function Card({ title, description, action, className, children }: CardProps) {
  return (
    <section className={cx('min-w-0 rounded-lg border bg-surface', className)}>
      {(title || action) && (
        <header className="flex items-start justify-between gap-3 px-4 pt-3.5">
          <div className="min-w-0">
            {title && <h2 className="font-semibold text-sm">{title}</h2>}
            {description && <p className="mt-0.5 text-muted text-xs">{description}</p>}
          </div>
          {action}
        </header>
      )}
      <div className="p-4">{children}</div>
    </section>
  )
}

/** One large figure with its name. */
export function Stat({
  label,
  children,
  hint,
}: {
  readonly label: ReactNode
  readonly children: ReactNode
  readonly hint?: ReactNode
}) {
  return (
    <div className="min-w-0">
      <p className="text-muted text-xs">{label}</p>
      <p className="figures mt-0.5 truncate font-semibold text-xl">{children}</p>
      {hint && <p className="text-muted text-xs">{hint}</p>}
    </div>
  )
}

export interface KeyValueItem {
  readonly label: ReactNode
  readonly value: ReactNode
}

/** Names and values, for details. Items without a value are left out. */
export function KeyValue({
  items,
  className,
}: {
  readonly items: readonly (KeyValueItem | false | undefined)[]
  readonly className?: string
}) {
  return (
    <dl
      className={cx(
        'grid grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)] items-baseline gap-x-5 gap-y-1.5 text-sm',
        className,
      )}
    >
      {items.map(
        (item, index) =>
          item && (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is drawn whole and holds no state
            <div key={index} className="contents">
              <dt className="text-muted">{item.label}</dt>
              <dd className="min-w-0 break-words">{item.value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

export interface FormSectionProps {
  /** Anchor, so that a long form can be linked into. */
  readonly id: string
  readonly title: ReactNode
  readonly description?: ReactNode
  /** Folded until opened; the browser's own search still finds and opens it. */
  readonly folded?: boolean
  readonly children: ReactNode
}

/** A part of a form. */
export function FormSection({ id, title, description, folded, children }: FormSectionProps) {
  const fields = <div className="flex flex-col gap-4">{children}</div>
  if (folded === undefined) {
    return (
      <section id={id} className="scroll-mt-4 border-t pt-4 first:border-t-0 first:pt-0">
        <h3 className="font-semibold text-sm">{title}</h3>
        {description && <p className="mt-0.5 text-muted text-xs">{description}</p>}
        <div className="mt-3">{fields}</div>
      </section>
    )
  }
  return (
    <details id={id} open={!folded} className="group scroll-mt-4 border-t pt-3 first:border-t-0">
      <summary className="flex select-none items-center gap-1.5 rounded-sm py-1 font-semibold text-sm [&::-webkit-details-marker]:hidden">
        <svg
          viewBox="0 0 16 16"
          className="size-3.5 shrink-0 fill-none stroke-muted stroke-2 transition-transform group-open:rotate-90"
          aria-hidden
        >
          <path d="m6 4 4 4-4 4" />
        </svg>
        {title}
      </summary>
      {description && <p className="mt-0.5 text-muted text-xs">{description}</p>}
      <div className="mt-3 mb-1">{fields}</div>
    </details>
  )
}
