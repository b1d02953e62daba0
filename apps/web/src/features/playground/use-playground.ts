import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Code, Columns2, Eraser, MessageSquarePlus, SlidersHorizontal, Square } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownGroupsQuery, ownModelsQuery } from '../../lib/api/account.ts'
import { useServerAddress } from '../../lib/api/status.ts'
import { copyText } from '../../lib/browser/copy.ts'
import { useHotkeys } from '../../lib/browser/hotkeys.ts'
import { useLocal, writeLocal } from '../../lib/browser/local-store.ts'
import { usePhone } from '../../lib/browser/media-query.ts'
import { useCommands } from '../../lib/commands.ts'
import { hasPart, useUser } from '../../lib/session/session.ts'
import { toast } from '../../lib/toast.ts'
import { type CodeLanguage, callCode, keyVariable } from './call-code.ts'
import type { ChatStore } from './chat/chat-store.ts'
import { type Column, threadAt } from './chat/conversation.ts'
import { messagesToSend, type SentMessage, sentParts } from './chat/thread.ts'
import { type Draft, useDraft } from './composer/use-draft.ts'
import type { Library } from './library/library.ts'
import { hasSharedRun } from './library/read-conversation.ts'
import { nextId, useConversation, useLibrary } from './library/use-library.ts'
import {
  chooseGroup,
  chooseModel,
  chooseOthers,
  groupChoices,
  type PlaygroundSettings,
  readSettings,
  type Target,
  targetsOf,
  turnOf,
  withChoice,
  withColumn,
  withoutColumn,
} from './settings.ts'

const route = getRouteApi('/console/playground')
/** Loads what few visits of the page come to. */
const loadSharedRun = () => import('./library/shared-run.ts')

/** Holds the state of the page and its actions. */
export function usePlayground() {
  const { t } = useTranslation('playground')
  const { model: linkedModel } = route.useSearch()
  const navigate = useNavigate({ from: '/playground' })
  const state = usePlaygroundSettings(linkedModel, () => void navigate({ search: {}, replace: true }))
  const { settings } = state
  const user = useUser()
  const library = useLibrary()
  const { chat } = library
  const conversation = useConversation(chat)
  const draft = useDraft(user?.id ?? 0)
  const phone = usePhone()
  const [sheetOpen, setSheetOpen] = useState(false)
  const input = useRef<HTMLTextAreaElement>(null)
  const address = useServerAddress()
  const targets = targetsOf(settings)
  const write = () => input.current?.focus()

  /** Returns the messages that a column would send now. */
  function draftMessages(column: Column = 0): readonly SentMessage[] {
    return [...messagesToSend(threadAt(conversation, column), settings.system), ...unsent(draft)]
  }
  async function copyCode(language: CodeLanguage, column: number): Promise<void> {
    const target = targets[column] ?? targets[0]
    if (!target) return
    const messages = draftMessages(target.column)
    const code = callCode(language, { address, settings: { ...settings, model: target.model }, messages })
    if (await copyText(code)) toast.success(t('code.copied', { variable: keyVariable }))
  }
  async function share(): Promise<void> {
    const { sharedRunAddress } = await loadSharedRun()
    const link = await sharedRunAddress(`${window.location.origin}/playground`, conversation)
    if (link === undefined) toast.error(t('share.tooLong'))
    else if (await copyText(link)) toast.success(t('share.copied'))
  }
  const run = {
    startNew() {
      library.startNew()
      write()
    },
    write,
    stop: () => chat.stop(),
    clearContext: chat.clearContext,
    copyCurl: () => void copyCode('curl', 0),
    toggleCompare: () => state.change({ compare: !settings.compare }),
    togglePanel: () => (phone ? setSheetOpen(true) : state.change({ panelOpen: !settings.panelOpen })),
  }
  usePlaygroundCommands(run)
  useSharedRun(library)

  return {
    state,
    targets,
    library,
    chat,
    conversation,
    draft,
    phone,
    input,
    run,
    copyCode,
    draftMessages,
    share,
    admin: hasPart(user, 'log'),
    again: useRetryActions(chat, settings),
    sheet: { open: sheetOpen, show: setSheetOpen },
    send() {
      chat.send(
        draft.take(),
        targets.map((target) => turnOf(settings, target)),
      )
      write()
    },
  }
}

/** Opens the run that the address brings, once: a reload shows the conversation as it went on. */
function useSharedRun(library: Library): void {
  const { t } = useTranslation('playground')
  const { loaded } = library.state
  useEffect(() => {
    const { hash, pathname } = window.location
    if (!loaded || !hasSharedRun(hash)) return
    window.history.replaceState(window.history.state, '', pathname)
    void loadSharedRun()
      .then(({ readSharedRun }) => readSharedRun(hash, nextId))
      .then((conversation) => {
        if (conversation) library.receive(conversation)
        else toast.error(t('share.unreadable'))
      })
  }, [library, loaded, t])
}

/** The copied code includes the text of the box. */
function unsent({ text, images }: Draft): readonly SentMessage[] {
  const words = text.trim()
  if (words === '' && images.length === 0) return []
  return [{ role: 'user', content: images.length === 0 ? words : sentParts(words, images) }]
}

interface PlaygroundCommands {
  readonly startNew: () => void
  readonly write: () => void
  readonly stop: () => void
  readonly clearContext: () => void
  readonly copyCurl: () => void
  readonly toggleCompare: () => void
  readonly togglePanel: () => void
}

/** Registers the commands of palette and keyboard while this page is open. */
function usePlaygroundCommands(run: PlaygroundCommands): void {
  const { t } = useTranslation('playground')
  const group = t('title')
  useCommands([
    {
      id: 'pg-new',
      title: t('startAnew'),
      group,
      icon: MessageSquarePlus,
      shortcut: 'c',
      run: run.startNew,
    },
    { id: 'pg-clear', title: t('clearContext'), group, icon: Eraser, run: run.clearContext },
    { id: 'pg-stop', title: t('stopAnswer'), group, icon: Square, run: run.stop },
    { id: 'pg-curl', title: t('code.curl'), group, icon: Code, run: run.copyCurl },
    { id: 'pg-compare', title: t('compare.toggle'), group, icon: Columns2, run: run.toggleCompare },
    { id: 'pg-panel', title: t('panel.toggle'), group, icon: SlidersHorizontal, run: run.togglePanel },
  ])
  useHotkeys([
    { keys: 'c', label: t('startAnew'), group: 'page', run: run.startNew },
    { keys: '/', label: t('write'), group: 'page', run: run.write },
  ])
}

export interface RetryActions {
  /** One for each column. */
  readonly retry: Readonly<Record<Column, (responseId: string) => void>>
  readonly resend: (messageId: string, text: string) => void
}

/** Asking again with the settings of that moment; the functions stay the same, so that old messages are not redrawn. */
function useRetryActions(chat: ChatStore, settings: PlaygroundSettings): RetryActions {
  const latest = useRef(settings)
  useEffect(() => {
    latest.current = settings
  })
  return useMemo(() => {
    const turns = () => targetsOf(latest.current).map((target) => turnOf(latest.current, target))
    const retryIn = (column: Column) => (responseId: string) => {
      const turn = turns().find((candidate) => candidate.column === column)
      if (turn) chat.retry(responseId, turn)
    }
    return {
      retry: { 0: retryIn(0), 1: retryIn(1), 2: retryIn(2), 3: retryIn(3) },
      resend: (messageId, text) => chat.resend(messageId, text, turns()),
    }
  }, [chat])
}

const settingsKey = 'draft:playground'

/** The settings with what there is to choose from. `linkedModel` is the model the page was opened for. */
function usePlaygroundSettings(linkedModel: string | undefined, onModelChosen: () => void) {
  const retained = useLocal(settingsKey)
  const own = useUser()?.group ?? ''
  const stored = useMemo(() => readSettings(retained), [retained])
  const models = useQuery(ownModelsQuery)
  const groups = useQuery(ownGroupsQuery)
  const choices = useMemo(() => groupChoices(groups.data ?? {}, own), [groups.data, own])
  const reachable = models.data ?? []
  const model = linkedModel ?? chooseModel(stored.model, reachable)
  const settings: PlaygroundSettings = {
    ...stored,
    model,
    group: chooseGroup(stored.group, choices),
    others: chooseOthers(stored.others, model, reachable, choices),
  }
  const change = (part: Partial<PlaygroundSettings>) => {
    writeLocal(settingsKey, JSON.stringify({ ...stored, ...part }))
    if (part.model !== undefined) onModelChosen()
  }
  return {
    settings,
    models: models.data,
    groups: groups.data && choices,
    error: models.error ?? groups.error,
    retry: () => {
      void models.refetch()
      void groups.refetch()
    },
    change,
    choose: (column: Column, part: Partial<Target>) => change(withChoice(settings, column, part)),
    addColumn: () => change(withColumn(settings)),
    removeColumn: (column: Column) => change(withoutColumn(settings, column)),
  }
}

export type SettingsState = ReturnType<typeof usePlaygroundSettings>
