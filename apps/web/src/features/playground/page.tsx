import { lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { cx } from '../../lib/cx.ts'
import { useImageDrop } from './attachments/use-image-drop.ts'
import { hasMessages, threadAt } from './chat/conversation.ts'
import { openResponse, type Thread } from './chat/thread.ts'
import { ChatColumns } from './columns/chat-columns.tsx'
import { Composer } from './composer/composer.tsx'
import { EmptyChat } from './empty-chat.tsx'
import { PlaygroundActions } from './playground-actions.tsx'
import { PlaygroundPanel } from './playground-panel.tsx'
import { usePlayground } from './use-playground.ts'

const PanelSheet = lazy(() => import('./panel-sheet.tsx').then((module) => ({ default: module.PanelSheet })))

/** Talks to any model through the gateway, as a program would, and shows what it took. */
export function PlaygroundPage(): ReactNode {
  const { t } = useTranslation('playground')
  const playground = usePlayground()
  const { chat, conversation, draft, input, library, phone, run, sheet, state, targets } = playground
  const { settings } = state
  const { over, target: dropTarget } = useImageDrop((files) => void draft.addFiles(files))
  const isEmpty = !hasMessages(conversation)

  return (
    <Page layout="fill">
      <PageHeader
        title={t('title')}
        actions={
          <PlaygroundActions
            phone={phone}
            panelOpen={phone ? sheet.open : settings.panelOpen}
            onTogglePanel={run.togglePanel}
            comparing={settings.compare}
            onToggleCompare={run.toggleCompare}
            models={targets.map(({ model }) => model)}
            onCopy={(language, column) => void playground.copyCode(language, column)}
            onStartNew={run.startNew}
            canStartNew={!isEmpty}
          />
        }
      />
      <div className="flex min-h-0 flex-1 gap-3 max-sm:h-[calc(100dvh-var(--top-bar)-5.5rem)] max-sm:flex-none">
        {!phone && settings.panelOpen && (
          <aside
            aria-label={t('panel.title')}
            className="w-72 shrink-0 overflow-y-auto rounded-lg border bg-surface px-4 pt-2 pb-4"
          >
            <PlaygroundPanel state={state} library={library} />
          </aside>
        )}
        <section
          aria-label={t('conversation')}
          {...dropTarget}
          className={cx(
            'flex min-w-0 flex-1 flex-col sm:rounded-lg sm:border sm:bg-surface',
            over && 'outline-2 outline-accent',
          )}
        >
          {isEmpty ? (
            <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
              {library.state.loaded && (
                <EmptyChat
                  admin={playground.admin}
                  unreachable={state.models?.length === 0 && settings.model === ''}
                  onExample={(example) => {
                    draft.setText(example)
                    run.write()
                  }}
                />
              )}
            </div>
          ) : (
            <ChatColumns chat={chat} targets={targets} again={playground.again} />
          )}
          <div className="mx-auto w-full max-w-[840px] shrink-0 pt-2 sm:px-5 sm:pb-4">
            <Composer
              input={input}
              draft={draft}
              onSend={playground.send}
              onStop={run.stop}
              isResponding={targets.some(({ column }) => openResponse(threadAt(conversation, column)))}
              ready={library.state.loaded && targets.every(({ model }) => model !== '')}
              onClearContext={run.clearContext}
              canClearContext={targets.some(({ column }) => hasContext(threadAt(conversation, column)))}
            />
          </div>
        </section>
      </div>
      {phone && sheet.open && (
        <Suspense>
          <PanelSheet state={state} library={library} onClose={() => sheet.show(false)} />
        </Suspense>
      )}
    </Page>
  )
}

function hasContext({ messages, contextStart }: Thread): boolean {
  return contextStart < messages.length
}
