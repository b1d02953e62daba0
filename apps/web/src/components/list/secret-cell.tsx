import { Eye } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Popover } from '../ui/overlay/popover.tsx'

export interface SecretCellProps {
  /** The secret without its middle. */
  readonly masked: string
  readonly label: string
  readonly revealLabel: string
  readonly copyLabel: string
  readonly copied: string | (() => Promise<string>)
  /** Drawn when it is asked for: to reveal a secret may be recorded. */
  readonly children: ReactNode
}

/** A secret without its middle; in full on demand, and copied without being shown. */
export function SecretCell({ masked, label, revealLabel, copyLabel, copied, children }: SecretCellProps) {
  return (
    <span className="inline-flex items-center">
      <span className="mr-1 font-mono text-xs">{masked}</span>
      <Popover label={label} trigger={<IconButton icon={Eye} size="sm" label={revealLabel} />}>
        {children}
      </Popover>
      <CopyButton value={copied} label={copyLabel} />
    </span>
  )
}

/** The full secret, ready to be selected or copied. */
export function FullSecret({ secret, copyLabel }: { readonly secret: string; readonly copyLabel: string }) {
  return (
    <span className="flex items-center gap-2">
      <code className="select-all wrap-anywhere text-xs">{secret}</code>
      <CopyButton value={secret} label={copyLabel} />
    </span>
  )
}
