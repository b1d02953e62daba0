import { useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { baseOf, RefusedFields, useSaveForm } from '../../../components/form/index.ts'
import { ApiError } from '../../../lib/api/api-client.ts'
import { channelApi, createChannel, updateChannel } from '../api.ts'
import { useProblemText } from '../problem-text.ts'
import { blankForm, type ChannelForm, createBodyOf, newBodyOf, updateBodyOf } from './channel-form.ts'
import type { Sentences } from './form-field.tsx'
import { firstOf, formFieldOf } from './form-fields.ts'
import { useFieldLabel } from './plain-fields.tsx'
import { liveProblems, type Problems, problemsOf } from './problems.ts'
import { fieldOfRefusal, fieldRefusal, withField } from './refusals.ts'

export interface ChannelFormOptions {
  /** Initial values of the form; `undefined` while they are being read. */
  readonly start: ChannelForm | undefined
  /** The stored channel; none when a new one is made. */
  readonly channel: Channel | undefined
  readonly onSaved: (channel: Channel) => void
}

/** Holds the typed values of a channel and their problems, and saves it. */
export function useChannelForm({ start = blankForm, channel, onSaved }: ChannelFormOptions) {
  const { t } = useTranslation('channels')
  const fieldLabel = useFieldLabel()
  const client = useQueryClient()
  const problemText = useProblemText()
  const mode = channel ? 'edit' : 'create'
  const sentences = (problems: Problems, form: ChannelForm): Sentences =>
    Object.fromEntries(Object.entries(problems).map(([name, problem]) => [name, problemText(problem, form)]))
  const saveForm = useSaveForm<ChannelForm, Channel>({
    start,
    check: (form) => sentences(problemsOf(form, mode), form),
    async save(form, { started, seen }) {
      try {
        if (!channel) return await createChannel(newBodyOf(form))
        const { key: _, ...before } = createBodyOf(started)
        const body = updateBodyOf(channel.id, form, start)
        return await updateChannel({ ...body, base: baseOf(before, body, seen) })
      } catch (cause) {
        throw withField(cause, fieldLabel)
      }
    },
    nameOf: (field) => formFieldOf(field) ?? field,
    fieldOf: fieldOfRefusal,
    onSaved(saved) {
      onSaved(saved)
      void channelApi.lists.refresh(client)
    },
    successMessage: t(channel ? 'toast.updated' : 'toast.created'),
  })
  const { form: fields } = saveForm
  const form = fields.watch()
  const { errors, isSubmitted } = fields.formState
  const refused: Sentences = Object.fromEntries(
    Object.entries(errors).map(([name, error]) => [name, String(error?.message ?? '')]),
  )
  return {
    ...saveForm,
    values: form,
    /** Problems once the person tried to save, and those of keys and type while they are typed. */
    problems: { ...sentences(liveProblems(form, mode), form), ...refused },
    firstProblem: isSubmitted ? firstOf(refused) : undefined,
    /** Says what the server refuses at its field. Returns whether it is about one. */
    refuse(error: Error): boolean {
      const named = withField(error, fieldLabel)
      const refusals =
        named instanceof RefusedFields
          ? Object.entries(named.problems)
          : Object.entries(error instanceof ApiError ? fieldRefusal(error) : {})
      for (const [name, message] of refusals)
        fields.setError(name as keyof ChannelForm, { type: 'server', message })
      return refusals.length > 0
    },
    /** Names a field as the form does, by its name in JSON. */
    labelOf(wireName: string): string {
      const field = formFieldOf(wireName)
      return field === undefined ? wireName : fieldLabel(field)
    },
    canSave: () => firstOf(problemsOf(form, mode)) === undefined,
    change(part: Partial<ChannelForm>): void {
      for (const [name, value] of Object.entries(part))
        fields.setValue(name as keyof ChannelForm, value as never, {
          shouldDirty: true,
          shouldValidate: isSubmitted,
        })
      // What a key, an address or the free field must look like depends on the type.
      if (part.type !== undefined && isSubmitted) void fields.trigger(['keys', 'baseUrl', 'other'])
    },
  }
}
