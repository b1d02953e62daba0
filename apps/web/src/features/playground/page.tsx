import { Code, Columns2, MessageSquarePlus, PanelLeft, Share2, SlidersHorizontal } from 'lucide-react'
import { type DragEvent, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton, type IconButtonProps } from '../../components/ui/button.tsx'
import { Menu } from '../../components/ui/overlay/menu.tsx'
import type { MenuEntry } from '../../components/ui/overlay/menu-items.ts'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { cx } from '../../lib/cx.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { type CodeLanguage, codeLanguages } from './call-code.ts'
import { hasMessages, threadAt } from './chat/conversation.ts'
import { settingsFault } from './chat/response-format.ts'
import { openResponse, openToolCalls, type Thread } from './chat/thread.ts'
import { ChatColumns } from './chat-columns.tsx'
import { Composer } from './composer/composer.tsx'
import { DraftCost } from './composer/draft-cost.tsx'
import { EmptyChat } from './empty-chat.tsx'
import { PlaygroundPanel } from './playground-panel.tsx'
import { usePlayground } from './use-playground.ts'

const PanelSheet = lazyComponent(() => import('./playground-panel.tsx'), 'PanelSheet')

/** Talks to any model through the gateway, as a program would, and shows what it took. */
export function PlaygroundPage(): ReactNode {
  const { t } = useTranslation('playground')
  const playground = usePlayground()
  const { chat, conversation, draft, input, library, phone, run, sheet, state, targets } = playground
  const { settings } = state
  const { over, target: dropTarget } = useImageDrop((files) => void draft.addFiles(files))
  const isEmpty = !hasMessages(conversation)
  const fault = settingsFault(settings.format, settings)
  const waiting = targets.flatMap(({ column }) =>
    openToolCalls(threadAt(conversation, column).messages.at(-1)),
  )

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
            onShare={() => void playground.share()}
            onStartNew={run.startNew}
            hasMessages={!isEmpty}
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
            <ChatColumns
              chat={chat}
              targets={targets}
              again={playground.again}
              onRemove={state.removeColumn}
            />
          )}
          <div className="mx-auto w-full max-w-[840px] shrink-0 pt-2 sm:px-5 sm:pb-4">
            <Composer
              input={input}
              draft={draft}
              onSend={playground.send}
              onStop={run.stop}
              isResponding={targets.some(({ column }) => openResponse(threadAt(conversation, column)))}
              ready={
                library.state.loaded && fault === undefined && targets.every(({ model }) => model !== '')
              }
              {...(draft.text.trim() !== '' && {
                cost: <DraftCost messages={playground.draftMessages()} targets={targets} />,
              })}
              {...(fault && { fault: t(`settings.cannotSend.${fault.field}`) })}
              placeholder={waiting[0] ? t('tool.writeResult', { name: waiting[0].name }) : t('write')}
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

interface PlaygroundActionsProps extends Omit<CodeMenuProps, 'small' | 'onShare'> {
  readonly phone: boolean
  readonly panelOpen: boolean
  readonly onTogglePanel: () => void
  readonly comparing: boolean
  readonly onToggleCompare: () => void
  readonly onShare: () => void
  readonly onStartNew: () => void
  readonly hasMessages: boolean
}

/** Shows the actions on the whole conversation. */
function PlaygroundActions(props: PlaygroundActionsProps): ReactNode {
  const { t } = useTranslation('playground')
  const { phone, panelOpen, comparing } = props
  return (
    <>
      <IconButton
        icon={phone ? SlidersHorizontal : PanelLeft}
        label={t('panel.toggle')}
        aria-expanded={panelOpen}
        onClick={props.onTogglePanel}
      />
      <Action
        compact={phone}
        icon={Columns2}
        label={t('compare.toggle')}
        aria-pressed={comparing}
        className={cx(comparing && 'border-accent! bg-accent-soft! text-accent-text!')}
        onClick={props.onToggleCompare}
      />
      <CodeMenu
        models={props.models}
        onCopy={props.onCopy}
        small={phone}
        onShare={phone && props.hasMessages ? props.onShare : undefined}
      />
      {!phone && (
        <Button icon={Share2} disabled={!props.hasMessages} onClick={props.onShare}>
          {t('share.copy')}
        </Button>
      )}
      <Action
        compact={phone}
        icon={MessageSquarePlus}
        label={t('startAnew')}
        disabled={!props.hasMessages}
        onClick={props.onStartNew}
      />
    </>
  )
}

interface ActionProps extends Omit<IconButtonProps, 'variant' | 'size'> {
  readonly compact: boolean
}

/** Words beside the icon where there is room for them. */
function Action({ compact, ...action }: ActionProps) {
  if (compact) return <IconButton {...action} />
  const { label, icon, tooltip: _, ...rest } = action
  return (
    <Button icon={icon} {...rest}>
      {label}
    </Button>
  )
}

interface CodeMenuProps {
  /** Models whose calls may be copied, one for each column. */
  readonly models: readonly string[]
  readonly onCopy: (language: CodeLanguage, column: number) => void
  readonly small: boolean
  /** Set where there is no room for a button of its own. */
  readonly onShare: (() => void) | undefined
}

/** Takes the call out of the playground: for a terminal, or for the SDK. */
function CodeMenu({ models, onCopy, small, onShare }: CodeMenuProps): ReactNode {
  const { t } = useTranslation('playground')
  const codes = models.flatMap((model, column): readonly MenuEntry[] => [
    ...(models.length > 1 ? [{ kind: 'heading', label: model } as const] : []),
    ...codeLanguages.map((language) => ({
      kind: 'action' as const,
      label: t(`code.${language}`),
      run: () => onCopy(language, column),
    })),
  ])
  const items: readonly MenuEntry[] = onShare
    ? [...codes, { kind: 'action', label: t('share.copy'), run: onShare }]
    : codes
  return (
    <Menu
      items={items}
      trigger={
        small ? (
          <IconButton icon={Code} label={t('code.menu')} tooltip={false} />
        ) : (
          <Button icon={Code}>{t('code.menu')}</Button>
        )
      }
    />
  )
}

/** Lets files be dropped on an element. */
function useImageDrop(onFiles: (files: readonly File[]) => void) {
  const [over, setOver] = useState(false)
  const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return {
    over,
    target: {
      onDragOver(event: DragEvent) {
        if (!holdsFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave(event: DragEvent) {
        const to = event.relatedTarget
        if (!(to instanceof Node) || !event.currentTarget.contains(to)) setOver(false)
      },
      onDrop(event: DragEvent) {
        if (!holdsFiles(event)) return
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}
