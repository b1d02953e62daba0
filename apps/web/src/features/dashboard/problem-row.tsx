import { CircleAlert, CircleHelp, CircleX, Info, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Tone } from '../../components/ui/tag.tsx'
import { cx } from '../../lib/cx.ts'

interface ProblemRowProps {
  readonly tone: Tone
  readonly title: ReactNode
  /** The state in a word, beside the title. */
  readonly word?: ReactNode
  readonly children?: ReactNode
  /** Control that mends it. */
  readonly action?: ReactNode
  /** On a phone the controls have a line of their own. */
  readonly isActionBelow?: boolean
}

const looks: Partial<Readonly<Record<Tone, { readonly icon: LucideIcon; readonly color: string }>>> = {
  bad: { icon: CircleX, color: 'text-bad' },
  warn: { icon: CircleAlert, color: 'text-warn' },
  info: { icon: Info, color: 'text-info' },
}
const otherwise = { icon: CircleHelp, color: 'text-muted' }

/** One thing that is wrong: what, why, and the way to put it right. */
export function ProblemRow({ tone, title, word, children, action, isActionBelow = false }: ProblemRowProps) {
  const { icon: Icon, color } = looks[tone] ?? otherwise
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-2.5 border-b px-4 py-2.5 text-sm last:border-b-0 max-sm:py-1.5">
      <Icon className={cx('mt-0.5 size-4 shrink-0 max-sm:mt-2.5', color)} aria-hidden />
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 max-sm:py-2">
        <span className="min-w-0 break-words font-medium max-sm:line-clamp-2">{title}</span>
        {word && <span className={cx('shrink-0 text-xs', color)}>{word}</span>}
      </p>
      <span
        className={cx(
          'sm:row-span-2',
          isActionBelow && 'max-sm:order-last max-sm:col-span-2 max-sm:col-start-2',
        )}
      >
        {action}
      </span>
      {children && (
        <p className="col-start-2 break-words text-muted text-xs max-sm:col-span-full max-sm:line-clamp-2">
          {children}
        </p>
      )}
    </li>
  )
}

/** Links at the right of a row. */
export const actionLink =
  'shrink-0 whitespace-nowrap rounded-sm py-0.5 text-accent-text text-sm hover:underline max-sm:py-2'
