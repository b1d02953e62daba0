import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Eraser, PanelLeft, Plus, SlidersHorizontal, Square, Terminal } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../components/ui/button.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { type Command, useCommands } from '../../lib/commands.ts'
import { copyText } from '../../lib/copy.ts'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { isAdmin, useUser } from '../../lib/session.ts'
import { useServerAddress } from '../../lib/status.ts'
import { toast } from '../../lib/toast.ts'
import { usePhone } from '../../lib/use-phone.ts'
import { chatCurl } from './chat/chat-request.ts'
import type { ChatStore, Turn } from './chat/chat-store.ts'
import { messagesToSend, openAnswer, type SentMessage } from './chat/conversation.ts'
import { useChat } from './chat/use-chat.ts'
import { Composer } from './composer/composer.tsx'
import { EmptyChat } from './empty-chat.tsx'
import { MessageList } from './messages/message-list.tsx'
import { SettingsPanel } from './settings/settings-panel.tsx'
import { usePlaygroundSettings } from './settings/use-settings.ts'

const route = getRouteApi('/console/playground')
const SettingsSheet = lazy(() =>
  import('./settings/settings-sheet.tsx').then((module) => ({ default: module.SettingsSheet })),
)

/** Talks to any model through the gateway, as a program would, and shows what it took. */
export function PlaygroundPage(): ReactNode {
  const { t } = useTranslation('playground')
  const { model: linkedModel } = route.useSearch()
  const navigate = useNavigate({ from: '/playground' })
  const state = usePlaygroundSettings(linkedModel, () => void navigate({ search: {}, replace: true }))
  const { settings } = state
  const chat = useChat()
  const conversation = chat.current
  const phone = usePhone()
  const [sheetOpen, setSheetOpen] = useState(false)
  const [text, setText] = useState('')
  const input = useRef<HTMLTextAreaElement>(null)
  const address = useServerAddress()
  const admin = isAdmin(useUser())
  const turn = { settings, system: settings.system }
  const again = useAgain(chat, turn)
  const isEmpty = conversation.messages.length === 0
  const toggleSettings = () => (phone ? setSheetOpen(true) : state.change({ panelOpen: !settings.panelOpen }))

  function send(): void {
    chat.send(text.trim(), turn)
    setText('')
    input.current?.focus()
  }

  async function copyCurl(): Promise<void> {
    const draft: readonly SentMessage[] = text.trim() === '' ? [] : [{ role: 'user', content: text.trim() }]
    const messages = [...messagesToSend(conversation, settings.system), ...draft]
    if (await copyText(chatCurl(address, settings, messages))) toast.success(t('curlCopied'))
  }

  const actions = {
    startAnew: () => {
      chat.reset()
      input.current?.focus()
    },
    copyCurl: () => void copyCurl(),
    stop: chat.stop,
    clearContext: chat.clearContext,
    toggleSettings,
    write: () => input.current?.focus(),
  }
  useCommands(usePlaygroundCommands(actions))
  useHotkeys([
    { keys: 'c', label: t('startAnew'), group: 'page', run: actions.startAnew },
    { keys: '/', label: t('write'), group: 'page', run: actions.write },
  ])

  return (
    <Page layout="fill">
      <PageHeader
        title={t('title')}
        actions={
          <>
            <IconButton
              icon={phone ? SlidersHorizontal : PanelLeft}
              label={t('settings.toggle')}
              aria-expanded={phone ? sheetOpen : settings.panelOpen}
              onClick={toggleSettings}
            />
            {phone ? (
              <>
                <IconButton icon={Terminal} label={t('copyCurl')} onClick={actions.copyCurl} />
                <IconButton
                  icon={Plus}
                  label={t('startAnew')}
                  disabled={isEmpty}
                  onClick={actions.startAnew}
                />
              </>
            ) : (
              <>
                <Button icon={Terminal} onClick={actions.copyCurl}>
                  {t('copyCurl')}
                </Button>
                <Button icon={Plus} disabled={isEmpty} onClick={actions.startAnew}>
                  {t('startAnew')}
                </Button>
              </>
            )}
          </>
        }
      />
      <div className="flex min-h-0 flex-1 gap-3 max-sm:h-[calc(100dvh-var(--top-bar)-5.5rem)] max-sm:flex-none">
        {!phone && settings.panelOpen && (
          <aside
            aria-label={t('settings.title')}
            className="w-72 shrink-0 overflow-y-auto rounded-lg border bg-surface p-4"
          >
            <SettingsPanel state={state} />
          </aside>
        )}
        <section
          aria-label={t('conversation')}
          className="flex min-w-0 flex-1 flex-col sm:rounded-lg sm:border sm:bg-surface"
        >
          {isEmpty ? (
            <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
              <EmptyChat
                admin={admin}
                unreachable={state.models?.length === 0 && settings.model === ''}
                onExample={(example) => {
                  setText(example)
                  input.current?.focus()
                }}
              />
            </div>
          ) : (
            <MessageList conversation={conversation} onRetry={again.retry} onResend={again.resend} />
          )}
          <div className="mx-auto w-full max-w-[800px] shrink-0 pt-2 sm:px-5 sm:pb-4">
            <Composer
              input={input}
              text={text}
              onChange={setText}
              onSend={send}
              onStop={chat.stop}
              answering={openAnswer(conversation) !== undefined}
              ready={settings.model !== ''}
              onClearContext={chat.clearContext}
              canClearContext={!isEmpty && conversation.contextStart < conversation.messages.length}
            />
          </div>
        </section>
      </div>
      {phone && sheetOpen && (
        <Suspense>
          <SettingsSheet state={state} onClose={() => setSheetOpen(false)} />
        </Suspense>
      )}
    </Page>
  )
}

/** Asking again with the settings of that moment; the functions stay the same, so that old messages are not redrawn. */
function useAgain(chat: ChatStore, turn: Turn) {
  const latest = useRef(turn)
  useEffect(() => {
    latest.current = turn
  })
  return useMemo(
    () => ({
      retry: (id: string) => chat.retry(id, latest.current),
      resend: (id: string, words: string) => chat.resend(id, words, latest.current),
    }),
    [chat],
  )
}

type Actions = Readonly<
  Record<'startAnew' | 'copyCurl' | 'stop' | 'clearContext' | 'toggleSettings' | 'write', () => void>
>

/** What the palette can do while this page is open. */
function usePlaygroundCommands(actions: Actions): readonly Command[] {
  const { t } = useTranslation('playground')
  const group = t('title')
  return [
    { id: 'pg-new', title: t('startAnew'), group, icon: Plus, shortcut: 'c', run: actions.startAnew },
    { id: 'pg-clear', title: t('clearContext'), group, icon: Eraser, run: actions.clearContext },
    { id: 'pg-stop', title: t('stopAnswer'), group, icon: Square, run: actions.stop },
    { id: 'pg-curl', title: t('copyCurl'), group, icon: Terminal, run: actions.copyCurl },
    {
      id: 'pg-settings',
      title: t('settings.toggle'),
      group,
      icon: SlidersHorizontal,
      run: actions.toggleSettings,
    },
  ]
}
