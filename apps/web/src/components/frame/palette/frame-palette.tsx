import { useEffect, useState } from 'react'
import { useUser } from '../../../lib/session/session.ts'
import { nothingTyped } from './palette-typing.ts'
import { usePaletteCode } from './use-palette-code.ts'
import { WaitingPalette } from './waiting-palette.tsx'

interface FramePaletteProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly onShowKeys: () => void
}

/** Shows the command palette while it is open, and a box that takes its keys while its code is loading. */
export function FramePalette({ open, onClose, onShowKeys }: FramePaletteProps) {
  const [typing, setTyping] = useState(nothingTyped)
  const [composing, setComposing] = useState(false)
  const CommandPalette = usePaletteCode(open, useUser() !== undefined)
  useEffect(() => {
    if (open) return
    setTyping(nothingTyped)
    setComposing(false)
  }, [open])
  if (!open) return null
  if (CommandPalette && !composing)
    return <CommandPalette typing={typing} onType={setTyping} onClose={onClose} onShowKeys={onShowKeys} />
  return <WaitingPalette typing={typing} onType={setTyping} onCompose={setComposing} onClose={onClose} />
}
