import type { ReactNode } from 'react'
import { CopyButton } from '../ui/copy.tsx'

export interface CardFootProps {
  /** The row's figures, in one line. */
  readonly facts: ReactNode
  /** The secret without its middle. */
  readonly secret: string
  readonly copy: { readonly value: string | (() => Promise<string>); readonly label: string }
}

/** Two lines beside the buttons of a phone's card: the figures, and a secret to be copied without being shown. */
export function CardFoot({ facts, secret, copy }: CardFootProps) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="flex min-w-0 flex-1 flex-col text-xs">
        <span className="figures truncate">{facts}</span>
        <span className="truncate font-mono text-muted">{secret}</span>
      </span>
      <CopyButton {...copy} />
    </span>
  )
}
