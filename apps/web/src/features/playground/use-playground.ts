import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../lib/copy.ts'
import { isAdmin, useUser } from '../../lib/session.ts'
import { useServerAddress } from '../../lib/status.ts'
import { toast } from '../../lib/toast.ts'
import { usePhone } from '../../lib/use-phone.ts'
import { threadAt } from './chat/conversation.ts'
import { messagesToSend, type SentMessage, sentParts } from './chat/thread.ts'
import { type CodeLanguage, callCode, keyVariable } from './code/call-code.ts'
import { type Draft, useDraft } from './composer/use-draft.ts'
import { useConversation, useLibrary } from './library/use-library.ts'
import { targetsOf, turnOf } from './settings/settings.ts'
import { usePlaygroundSettings } from './settings/use-settings.ts'
import { usePlaygroundCommands } from './use-playground-commands.ts'
import { useRetryActions } from './use-retry-actions.ts'

const route = getRouteApi('/console/playground')

/** What is on the page, and what can be done with it. */
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

  async function copyCode(language: CodeLanguage, column: number): Promise<void> {
    const target = targets[column] ?? targets[0]
    if (!target) return
    const said = messagesToSend(threadAt(conversation, target.column), settings.system)
    const messages = [...said, ...unsent(draft)]
    const code = callCode(language, { address, settings: { ...settings, model: target.model }, messages })
    if (await copyText(code)) toast.success(t('code.copied', { variable: keyVariable }))
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
    admin: isAdmin(user),
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

/** What stands in the box is part of what is copied. */
function unsent({ text, images }: Draft): readonly SentMessage[] {
  const words = text.trim()
  if (words === '' && images.length === 0) return []
  return [{ role: 'user', content: images.length === 0 ? words : sentParts(words, images) }]
}
