import type { ReactNode } from 'react'

interface AccessPartProps {
  readonly description: string
  /** Control at the right of the description. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** Shows the content of one tab of the card. */
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
