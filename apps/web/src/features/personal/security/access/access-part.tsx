import type { ReactNode } from 'react'

interface AccessPartProps {
  readonly description: string
  /** At the right of the description. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** What one tab of the card shows. */
export function AccessPart({ description, action, children }: AccessPartProps) {
  return (
    <>
      <div className="mb-3 flex items-start justify-between gap-3">
        <p className="text-muted text-xs">{description}</p>
        {action}
      </div>
      {children}
    </>
  )
}
