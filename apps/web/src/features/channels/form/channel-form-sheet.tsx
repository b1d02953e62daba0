import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../components/ui/dialog.tsx'
import { Sheet } from '../../../components/ui/sheet.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { createChannel, refreshChannels, updateChannel } from '../api.ts'
import { useProblemText } from '../problem-text.ts'
import { AdvancedSection } from './advanced-section.tsx'
import { BasicsSection } from './basics-section.tsx'
import { type ChannelForm, createBodyOf, endsInVersion, isChanged, updateBodyOf } from './channel-form.ts'
import { ModelsSection } from './models-section.tsx'
import { firstProblem, type Problems, problemsOf } from './problems.ts'
import { focusLateForm, revealField, revealSection } from './reveal.ts'
import { RoutingSection } from './routing-section.tsx'
import { SectionNav } from './section-nav.tsx'

export interface ChannelFormSheetProps {
  readonly title: string
  readonly description?: ReactNode
  /** What the form starts with; `undefined` while that is being read. */
  readonly start: ChannelForm | undefined
  /** In place of the form while there is none. */
  readonly fallback?: ReactNode
  /** The stored channel; none when a new one is made. */
  readonly channel?: Channel | undefined
  /** Over the fields: how the stored channel is doing, where a copy comes from. */
  readonly head?: ReactNode
  readonly onClose: () => void
}

/** What was typed, and what it is measured against: the form as it was when typing began. */
interface Draft {
  readonly start: ChannelForm
  readonly form: ChannelForm
}

/** The channel form in its sheet, from the first key press to the answer of the server. */
export function ChannelFormSheet(props: ChannelFormSheetProps) {
  const { title, description, channel, fallback, head, onClose } = props
  const { t } = useTranslation('channels')
  const problemText = useProblemText()
  const body = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState<Draft>()
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState(false)
  const save = useSave(channel, onClose)
  // Until something is typed the form follows what is read.
  const mode = channel ? 'edit' : 'create'
  const draft = typed ?? (props.start && { start: props.start, form: props.start })
  const problems = draft ? shownProblems(problemsOf(draft.form, mode), tried) : {}
  const problem = firstProblem(problems)

  function change(part: Partial<ChannelForm>): void {
    setTyped((now) => {
      const before = now ?? draft
      return before && { start: before.start, form: { ...before.form, ...part } }
    })
  }

  function submit({ form, start }: Draft): void {
    setTried(true)
    if (firstProblem(problemsOf(form, mode))) {
      // After the problems are drawn, so that the first of them can be found.
      setTimeout(() => revealField(body.current, '[data-invalid]'))
    } else if (endsInVersion(form) && form.baseUrl !== start.baseUrl) setAsking(true)
    else save.mutate({ form, start })
  }

  return (
    <>
      <Sheet
        open
        size="lg"
        title={title}
        description={description}
        onClose={onClose}
        submitting={save.isPending}
        submitLabel={t(channel ? 'form.save' : 'form.create')}
        footer={
          problem && (
            <p role="alert" className="truncate text-bad text-sm">
              {problemText(problem)}
            </p>
          )
        }
        nav={draft && <SectionNav body={body} form={draft.form} />}
        {...(draft && { dirty: isChanged(draft.form, draft.start), onSubmit: () => submit(draft) })}
      >
        {draft ? (
          <FormBody
            body={body}
            form={draft.form}
            change={change}
            problems={problems}
            channel={channel}
            head={
              <>
                {save.error && (
                  <Notice tone="bad" title={t('form.refused')}>
                    {save.error.message}
                  </Notice>
                )}
                {head}
              </>
            }
          />
        ) : (
          fallback
        )}
      </Sheet>
      <ConfirmDialog
        open={asking}
        title={t('version.title')}
        description={t('version.description')}
        confirmLabel={t('version.keep')}
        cancelLabel={t('version.back')}
        onCancel={() => {
          setAsking(false)
          setTimeout(() => revealField(body.current, '[data-field="baseUrl"]'))
        }}
        onConfirm={() => {
          setAsking(false)
          if (draft) save.mutate(draft)
        }}
      />
    </>
  )
}

/** What is wrong is said once the person tries to save; a type that nothing serves at once, before the rest is filled in. */
function shownProblems(problems: Problems, tried: boolean): Problems {
  if (tried || problems.type === undefined) return tried ? problems : {}
  return { type: problems.type }
}

interface FormBodyProps {
  readonly body: RefObject<HTMLDivElement | null>
  readonly form: ChannelForm
  readonly change: (part: Partial<ChannelForm>) => void
  readonly problems: Problems
  readonly channel: Channel | undefined
  readonly head: ReactNode
}

function FormBody({ body, head, channel, ...section }: FormBodyProps) {
  useSectionOfAddress(body)
  useEffect(() => focusLateForm(body.current), [body])
  return (
    <div ref={body}>
      <div className="mb-4 flex flex-col gap-3 empty:hidden">{head}</div>
      <div className="flex flex-col gap-5">
        <BasicsSection {...section} channel={channel} />
        <ModelsSection {...section} channel={channel} />
        <RoutingSection {...section} />
        <AdvancedSection {...section} />
      </div>
    </div>
  )
}

/** Creates or updates; what the server refuses stays in the form. */
function useSave(channel: Channel | undefined, onSaved: () => void) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ form, start }: Draft) =>
      channel ? updateChannel(updateBodyOf(channel.id, form, start)) : createChannel(createBodyOf(form)),
    onSuccess: async () => {
      onSaved()
      await refreshChannels(client)
    },
    meta: { silent: true, successMessage: t(channel ? 'toast.updated' : 'toast.created') },
  })
}

/** Opens the form at the section that the address names: `/channel/edit/3#routing`. */
function useSectionOfAddress(body: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const id = window.location.hash.slice(1)
    if (id !== '') revealSection(body.current, id)
  }, [body])
}
