import { SlidersHorizontal, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'
import { Popover } from './popover.tsx'

export interface FilterChipProps {
  readonly label: string
  /** What is chosen, in words; `undefined` while the filter is off. */
  readonly value: ReactNode | undefined
  readonly onClear: () => void
  /** The editor; gets a function that closes it. */
  readonly children: (close: () => void) => ReactNode
  readonly className?: string
}

/** One filter: its name, what is chosen, and an editor behind a press. */
export function FilterChip({ label, value, onClear, children, className }: FilterChipProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const active = value !== undefined
  return (
    <span
      className={cx(
        'inline-flex h-control items-center rounded border text-sm',
        active
          ? 'border-accent/40 bg-accent-soft text-accent-text'
          : 'border-line-strong border-dashed text-muted hover:text-text',
      )}
    >
      <Popover
        label={label}
        open={open}
        onOpenChange={setOpen}
        className={className ?? 'w-64'}
        trigger={
          <button type="button" className="flex h-full max-w-64 items-center gap-1.5 rounded px-2.5">
            {!active && <SlidersHorizontal className="size-3" aria-hidden />}
            <span className={cx(active && 'text-muted')}>{label}</span>
            {active && <span className="truncate font-medium">{value}</span>}
          </button>
        }
      >
        {children(() => setOpen(false))}
      </Popover>
      {active && (
        <button
          type="button"
          aria-label={t('filter.clear', { label })}
          className="mr-0.5 grid h-full w-6 place-items-center rounded hover:text-text max-sm:w-10"
          onClick={onClear}
        >
          <X className="size-3.5" aria-hidden />
        </button>
      )}
    </span>
  )
}
