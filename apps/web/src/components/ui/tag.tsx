import { CircleAlert, CircleCheck, CircleX, Info, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'

/** The four meanings, a neutral, and the accent. */
export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'info'

const soft: Readonly<Record<Tone, string>> = {
  neutral: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent-text',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
}

export interface TagProps {
  readonly tone?: Tone
  readonly icon?: LucideIcon
  readonly mono?: boolean
  readonly className?: string
  readonly children: ReactNode
}

/** One word about a thing: its group, its type. */
export function Tag({ tone = 'neutral', icon: Icon, mono = false, className, children }: TagProps) {
  return (
    <span
      className={cx(
        'inline-flex h-5 max-w-full items-center gap-1 whitespace-nowrap rounded-sm px-1.5 font-medium text-2xs',
        mono && 'font-mono',
        soft[tone],
        className,
      )}
    >
      {Icon && <Icon className="size-3 shrink-0" aria-hidden />}
      <span className="truncate">{children}</span>
    </span>
  )
}

const dots: Readonly<Record<Tone, string>> = {
  neutral: 'bg-faint',
  accent: 'bg-accent',
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  info: 'bg-info',
}

/** A state: a dot and always a word beside it. */
export function StatusDot({
  tone,
  children,
  className,
}: {
  readonly tone: Tone
  readonly children: ReactNode
  readonly className?: string
}) {
  return (
    <span className={cx('inline-flex min-w-0 items-center gap-1.5 whitespace-nowrap', className)}>
      <span className={cx('size-2 shrink-0 rounded-full', dots[tone])} aria-hidden />
      <span className="truncate">{children}</span>
    </span>
  )
}

const noticeIcons: Readonly<Record<'info' | 'good' | 'warn' | 'bad', LucideIcon>> = {
  info: Info,
  good: CircleCheck,
  warn: CircleAlert,
  bad: CircleX,
}

export interface NoticeProps {
  readonly tone: 'info' | 'good' | 'warn' | 'bad'
  readonly title?: ReactNode
  readonly children?: ReactNode
  readonly action?: ReactNode
  readonly className?: string
}

/** Something to know before going on, in the flow of the page. */
export function Notice({ tone, title, children, action, className }: NoticeProps) {
  const Icon = noticeIcons[tone]
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'note'}
      className={cx('flex items-start gap-2.5 rounded px-3 py-2.5 text-sm', soft[tone], className)}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className={cx('text-text', title !== undefined && 'mt-0.5')}>{children}</div>}
      </div>
      {action}
    </div>
  )
}

/** Shows a dash in place of an absent value. */
export function NoValue() {
  return <span className="text-faint">–</span>
}
