import { CircleAlert, CircleHelp, CircleX, Info, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Tone } from '../../../components/ui/tag.tsx'
import { cx } from '../../../lib/cx.ts'

export interface ProblemRowProps {
  readonly tone: Tone
  readonly title: ReactNode
  /** The state in a word, beside the title. */
  readonly word?: ReactNode
  readonly children?: ReactNode
  /** What to do about it. */
  readonly action?: ReactNode
}

const looks: Partial<Readonly<Record<Tone, { readonly icon: LucideIcon; readonly color: string }>>> = {
  bad: { icon: CircleX, color: 'text-bad' },
  warn: { icon: CircleAlert, color: 'text-warn' },
  info: { icon: Info, color: 'text-info' },
}
const otherwise = { icon: CircleHelp, color: 'text-muted' }

/** One thing that is wrong: what, why, and the way to put it right. */
export function ProblemRow({ tone, title, word, children, action }: ProblemRowProps) {
  const { icon: Icon, color } = looks[tone] ?? otherwise
  return (
    <li className="flex items-start gap-2.5 border-b px-4 py-2.5 text-sm last:border-b-0">
      <Icon className={cx('mt-0.5 size-4 shrink-0', color)} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="min-w-0 break-words font-medium">{title}</span>
          {word && <span className={cx('text-xs', color)}>{word}</span>}
        </p>
        {children && <p className="break-words text-muted text-xs">{children}</p>}
      </div>
      {action}
    </li>
  )
}

/** Links at the right of a row. */
export const actionLink =
  'shrink-0 whitespace-nowrap rounded-sm py-0.5 text-accent-text text-sm hover:underline max-sm:py-2'
