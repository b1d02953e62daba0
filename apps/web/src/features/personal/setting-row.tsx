import type { ReactNode } from 'react'

interface SettingRowProps {
  readonly title: ReactNode
  readonly description?: ReactNode
  /** Buttons at the right, or below the text where there is no room. */
  readonly actions?: ReactNode
}

/** A row of a card: its title, its state, and its buttons. */
export function SettingRow({ title, description, actions }: SettingRowProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t py-2.5 first:border-t-0 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-44">
        <div className="flex min-w-0 items-center gap-2 font-medium text-sm">{title}</div>
        {description && <div className="min-w-0 break-words text-muted text-xs">{description}</div>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}
