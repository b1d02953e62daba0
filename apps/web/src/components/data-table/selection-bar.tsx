import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../ui/button.tsx'

export interface SelectionBarProps {
  readonly count: number
  readonly onClear: () => void
  readonly children: ReactNode
}

/**
 * Shows the actions on the chosen rows: at the bottom of the window while the table continues, and above its pages at its end.
 */
export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  const { t } = useTranslation()
  return (
    <div
      role="toolbar"
      aria-label={t('table.selected', { count })}
      className="floating sticky bottom-2 z-20 flex w-max max-w-full shrink-0 flex-wrap items-center gap-2 self-center rounded-lg py-1.5 pr-1.5 pl-3.5 text-sm max-sm:bottom-[max(0.75rem,env(safe-area-inset-bottom))]"
    >
      <span className="figures mr-1 font-medium" aria-live="polite">
        {t('table.selected', { count })}
      </span>
      {children}
      <IconButton icon={X} label={t('table.clearSelection')} size="sm" onClick={onClear} />
    </div>
  )
}

/** Shows the progress of a run over many rows: "12 of 40", with a bar. */
export function RunProgress({
  done,
  total,
  label,
}: {
  readonly done: number
  readonly total: number
  readonly label: string
}) {
  return (
    <span className="flex items-center gap-2 text-xs">
      <progress
        aria-label={label}
        value={done}
        max={total}
        className="h-1.5 w-28 appearance-none overflow-hidden rounded-full [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent"
      />
      <span className="figures text-muted">
        {done}/{total}
      </span>
    </span>
  )
}
