import { Command as Palette } from 'cmdk'
import type { ReactNode } from 'react'
import type { Command } from '../../../lib/commands.ts'
import { KeyCaps } from '../../ui/kbd.tsx'

/** Something that can be chosen. `detail` tells it from others of its name. */
export interface PaletteEntry extends Command {
  readonly detail?: string
}

export interface PaletteGroupProps {
  readonly heading: string
  readonly entries: readonly PaletteEntry[]
  readonly onChoose: (entry: PaletteEntry) => void
}

export function PaletteGroup({ heading, entries, onChoose }: PaletteGroupProps): ReactNode {
  if (entries.length === 0) return null
  return (
    <Palette.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:text-muted"
    >
      {entries.map((entry) => (
        <Item key={entry.id} entry={entry} onChoose={() => onChoose(entry)} />
      ))}
    </Palette.Group>
  )
}

function Item({ entry, onChoose }: { readonly entry: PaletteEntry; readonly onChoose: () => void }) {
  const { icon: Icon } = entry
  return (
    <Palette.Item
      value={entry.id}
      onSelect={onChoose}
      className="flex min-h-9 cursor-default items-center gap-2.5 rounded px-2.5 data-[selected=true]:bg-hover max-sm:min-h-11"
    >
      {Icon && <Icon className="size-4 shrink-0 text-muted" aria-hidden />}
      <span className="min-w-0 grow truncate">{entry.title}</span>
      {entry.detail && (
        <span className="min-w-[45%] shrink truncate text-right max-sm:min-w-[30%] max-sm:shrink-[8] text-muted text-xs">
          {entry.detail}
        </span>
      )}
      {entry.shortcut && <KeyCaps keys={entry.shortcut} className="max-sm:hidden" />}
    </Palette.Item>
  )
}
