import { Dialog } from '@base-ui/react/dialog'
import { Command as Palette } from 'cmdk'
import { RotateCw } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDebounced } from '../../../lib/browser/timers.ts'
import { type Command, useRegisteredCommands } from '../../../lib/commands.ts'
import { useActionCommands, useFrameCommands, usePageCommands } from './commands.ts'
import { type PaletteEntry, PaletteGroup } from './palette-item.tsx'
import { fitting, groupsByRank, merged } from './rank.ts'
import { type PaletteResults, usePaletteSearch } from './use-palette-search.ts'

interface CommandPaletteProps {
  readonly onClose: () => void
  readonly onShowKeys: () => void
}

const searchDelayMs = 200

/** Everything the console can do and everything the server knows, found by typing. */
export function CommandPalette({ onClose, onShowKeys }: CommandPaletteProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const settled = useDebounced(text, searchDelayMs)
  const found = usePaletteSearch(text === '' ? '' : settled, text)
  const offered = [
    ...useRegisteredCommands(),
    ...usePageCommands(),
    ...useActionCommands(),
    ...useFrameCommands(onShowKeys),
  ]
  const commands = fitting(offered, text)
  const popup = useRef<HTMLDivElement>(null)
  useChosenRow(popup)

  function choose(command: Command): void {
    onClose()
    command.run()
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          ref={popup}
          aria-label={t('palette.title')}
          className="floating fixed top-[14dvh] left-1/2 z-40 w-[calc(100vw-1.5rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg outline-none"
        >
          <Palette
            label={t('palette.title')}
            loop
            shouldFilter={false}
            className="flex max-h-[60dvh] flex-col"
          >
            <Palette.Input
              autoFocus
              value={typed}
              onValueChange={setTyped}
              placeholder={t('palette.placeholder')}
              className="h-12 w-full shrink-0 border-b bg-transparent px-4 text-base outline-none"
            />
            <Palette.List label={t('palette.results')} className="min-h-0 overflow-y-auto p-1.5 text-sm">
              <Results text={text} commands={commands} found={found} onChoose={choose} />
            </Palette.List>
            <SearchState found={found} waiting={settled !== text} empty={commands.length === 0} />
          </Palette>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface ResultsProps {
  readonly text: string
  readonly commands: readonly Command[]
  readonly found: PaletteResults
  readonly onChoose: (command: Command) => void
}

/** Lists commands of the console and objects of the server, the best first, with a retry where the search failed. */
function Results({ text, commands, found, onChoose }: ResultsProps) {
  const { t } = useTranslation()
  const ofCommands = commands.map((command) => ({ heading: command.group, entries: [command] }))
  const groups = merged<PaletteEntry>([...ofCommands, ...found.groups])
  const retry = { id: 'search-again', group: '', title: t('action.retry'), icon: RotateCw, run: found.retry }
  return (
    <>
      {groupsByRank(groups, text).map(({ heading, entries }) => (
        <PaletteGroup key={heading} heading={heading} entries={entries} onChoose={onChoose} />
      ))}
      {found.error && <PaletteGroup heading={found.error.message} entries={[retry]} onChoose={found.retry} />}
    </>
  )
}

interface SearchStateProps {
  readonly found: PaletteResults
  /** Set while the typed text has not been searched for yet. */
  readonly waiting: boolean
  /** No command fits. */
  readonly empty: boolean
}

/** Says that the server is asked, or that nothing was found anywhere. */
function SearchState({ found, waiting, empty }: SearchStateProps) {
  const { t } = useTranslation()
  const searching = waiting || found.searching
  const none = empty && !found.error && found.groups.every(({ entries }) => entries.length === 0)
  if (!searching && !none) return null
  return (
    <p
      role="status"
      className={none ? 'px-3 py-6 text-center text-muted text-sm' : 'px-4 pb-2.5 text-muted text-xs'}
    >
      {t(searching ? 'palette.searching' : 'palette.nothing')}
    </p>
  )
}

const names = 'aria-activedescendant'

/**
 * Tells screen readers the chosen row. The library goes on naming a row that went away with the results before and came
 * back under another id.
 */
function useChosenRow(palette: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const chosen = palette.current?.querySelector('[cmdk-item][aria-selected="true"]')
    for (const element of palette.current?.querySelectorAll(`[${names}]`) ?? []) {
      if (document.getElementById(element.getAttribute(names) ?? '') !== null) continue
      if (chosen) element.setAttribute(names, chosen.id)
      else element.removeAttribute(names)
    }
  })
}
