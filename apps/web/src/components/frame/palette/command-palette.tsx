import { Dialog } from '@base-ui/react/dialog'
import { Command as Palette } from 'cmdk'
import { RotateCw } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useDebounced } from '../../../lib/browser/timers.ts'
import { type Command, useRegisteredCommands } from '../../../lib/commands.ts'
import { useActionCommands, useFrameCommands, usePageCommands } from './commands.ts'
import { type PaletteEntry, PaletteGroup } from './palette-item.tsx'
import type { PaletteTyping } from './palette-typing.ts'
import { fitting, groupsByRank, merged } from './rank.ts'
import { type PaletteResults, usePaletteSearch } from './use-palette-search.ts'
import { useLogLink } from './words/use-log-link.ts'

interface CommandPaletteProps {
  /** Text with which it opens: what was typed while it was loading. */
  readonly typing: PaletteTyping
  readonly onType: (typing: PaletteTyping) => void
  readonly onClose: () => void
  readonly onShowKeys: () => void
}

const searchDelayMs = 200

/** Everything the console can do and everything the server knows, found by typing. */
export function CommandPalette({ typing, onType, onClose, onShowKeys }: CommandPaletteProps) {
  const { t } = useTranslation()
  const text = typing.text.trim()
  const settled = useDebounced(text, searchDelayMs)
  const found = usePaletteSearch(text === '' ? '' : settled, text)
  const offered = [
    ...useRegisteredCommands(),
    ...usePageCommands(),
    ...useActionCommands(),
    ...useFrameCommands(onShowKeys),
  ]
  const commands: readonly PaletteEntry[] = [...fitting(offered, text), ...useLogLink(text)]
  const popup = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  useEarlierKeys(box, typing)
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
          initialFocus={box}
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
              ref={box}
              autoFocus
              value={typing.text}
              onValueChange={(changed) => onType({ ...typing, text: changed })}
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
  readonly commands: readonly PaletteEntry[]
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

/** Goes on where the person was before the palette had loaded: with their text cursor, and with what they pressed for the list. */
function useEarlierKeys(box: RefObject<HTMLInputElement | null>, typing: PaletteTyping): void {
  const earlier = useRef(typing)
  useLayoutEffect(() => {
    box.current?.focus()
    box.current?.setSelectionRange(...earlier.current.selection)
  }, [box])
  useEffect(() => {
    for (const key of earlier.current.listKeys)
      box.current?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  }, [box])
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
