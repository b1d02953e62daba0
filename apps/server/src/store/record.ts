/** The column codec of a record that `@tollgate/api` declares. */
import { bareSchema, snakeCase } from '@tollgate/api'
import { z } from 'zod'
import { type Field, type Fields, flag, json, text, textList } from './repositories/fields.ts'

/** How each field of a record stands in its column. */
export function fieldsOf<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape>,
): Fields<Readonly<z.output<z.ZodObject<Shape>>>> {
  const fields = Object.entries<z.core.$ZodType>(record.shape).map(([name, schema]) => [
    name,
    fieldOf(snakeCase(name), schema as z.ZodType),
  ])
  return Object.fromEntries(fields)
}

function fieldOf(column: string, marked: z.ZodType): Field<never> {
  const schema = bareSchema(marked)
  if (schema instanceof z.ZodCodec) {
    const inner = bareSchema(schema.def.out as z.ZodType)
    return inner instanceof z.ZodEnum ? nameField(column, schema) : fieldOf(column, inner)
  }
  if (schema instanceof z.ZodNumber || schema instanceof z.ZodNullable) return plain(column)
  if (schema instanceof z.ZodBoolean) return flag(column) as Field<never>
  if (schema instanceof z.ZodString) return text(column) as Field<never>
  return (schema instanceof z.ZodArray ? textList(column) : json(column)) as Field<never>
}

function plain(column: string): Field<never> {
  return { write: (value) => ({ [column]: value }), read: (row) => row[column] as never }
}

function nameField(column: string, codec: z.ZodCodec): Field<never> {
  return {
    write: (name) => ({ [column]: z.encode(codec, name) as number }),
    read(row) {
      const name = z.safeDecode(codec, Number(row[column]))
      if (!name.success) throw new Error(`${column} ${row[column]} in the database is unknown`)
      return name.data as never
    },
  }
}
