/**
 * Characters that are read as a Latin letter or a digit, by their code points. A part of Unicode's data for security (UTS #39,
 * confusables.txt, as confusable-homoglyphs 3.3.1 has it: https://pypi.org/project/confusable-homoglyphs): letters and digits of the
 * Basic Multilingual Plane that NFKC leaves as they are and whose prototype is one Latin letter or digit.
 */
const confusables: readonly (readonly [prototype: string, codePoints: string])[] = [
  ['2', '01A7 03E8 14BF A644 A6EF A75A'],
  ['3', '01B7 021C 0417 04E0 2CCC A76A A7AB'],
  ['4', '13CE'],
  ['5', '01BC'],
  ['6', '0431 13EE 2CD2'],
  ['8', '0222 0223 09EA 0A6A'],
  ['9', '09ED 0A67 0B68 0D6D 2CCA A76E'],
  ['a', '0251 0391 03B1 0410 0430 13AA 15C5 A4EE'],
  ['b', '0184 0392 0412 042C 13CF 13F4 1472 15AF 15F7 A4D0 A7B4'],
  ['c', '0421 0441 13DF 1D04 2CA4 2CA5 A4DA ABAF'],
  ['d', '0501 13A0 13E7 146F 15DE 15EA A4D2 A4D3'],
  ['e', '0395 0415 0435 04BD 13AC 2D39 A4F0 AB32'],
  ['f', '03DC 0584 15B4 1E9D A4DD A798 A799 AB35'],
  ['g', '018D 0261 050C 0581 13C0 13F3 1D83 A4D6'],
  ['h', '0397 041D 04BB 0570 13BB 13C2 157C 2C8E A4E7'],
  ['i', '0131 0269 026A 03B9 0456 04CF 13A5 A647 AB75'],
  ['j', '037F 03F3 0408 0458 13AB 148D A4D9 A7B2'],
  ['k', '039A 041A 13E6 16D5 2C94 A4D7'],
  ['l', '0196 01C0 0399 0406 04C0 05D5 05DF 0627 0661 06F1 07CA 13DE 14AA 16C1 2C92 2CD0 2D4F A4E1 A4F2'],
  ['m', '039C 03FA 041C 13B7 15F0 16D6 2C98 A4DF'],
  ['n', '039D 0578 057C 2C9A A4E0'],
  [
    'o',
    '039F 03BF 03C3 041E 043E 0555 0585 05E1 0647 0665 06BE 06C1 06D5 06F5 07C0 0966 09E6 0A66 0AE6 0B20 0B66 0BE6 0C66 0CE6 0D20 0D66 0E50 0ED0 101D 1040 10FF 12D0 1D0F 1D11 2C9E 2C9F 2D54 3007 A4F3 AB3D',
  ],
  ['p', '03A1 03C1 0420 0440 13E2 146D 2CA2 2CA3 A4D1'],
  ['q', '051B 0563 0566 2D55'],
  ['r', '01A6 0433 13A1 13D2 1587 1D26 2C85 A4E3 AB47 AB48 AB81'],
  ['s', '01BD 0405 0455 054F 13D5 13DA A4E2 A731 ABAA'],
  ['t', '03A4 0422 13A2 2CA6 A4D4'],
  ['u', '028B 03C5 054D 057D 1200 144C 1D1C A4F4 A79F AB4E AB52'],
  ['v', '03BD 0474 0475 05D8 0667 06F7 13D9 142F 1D20 2D38 A4E6 A6DF ABA9'],
  ['w', '026F 0461 051C 051D 0561 13B3 13D4 1D21 A4EA AB83'],
  ['x', '03A7 0425 0445 1541 157D 16B7 2CAC 2D5D A4EB A7B3'],
  ['y', '0263 028F 03A5 03B3 0423 0443 04AE 04AF 10E7 13A9 13BD 1D8C 1EFF 2CA8 A4EC AB5A'],
  ['z', '0396 13C3 1D22 A4DC AB93'],
]

const prototypes = new Map(
  confusables.flatMap(([prototype, codePoints]) =>
    codePoints.split(' ').map((hex) => [String.fromCodePoint(Number.parseInt(hex, 16)), prototype] as const),
  ),
)

/** Latin letters and digits that are read as each other (UTS #39 has `I`, `1`, `|` as `l`, `0` as `O`, and `m` as `rn`). */
const sameLetters: Readonly<Record<string, string>> = { i: 'l', '1': 'l', '|': 'l', '0': 'o', m: 'rn' }

/** Characters that are drawn as nothing. U+2800 is the empty pattern of Braille. */
const invisible = /[\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Names that people take for each other have one skeleton. It is for comparisons: nobody reads it. */
export function skeletonOf(name: string): string {
  const plain = name.normalize('NFKC').replace(invisible, '')
  return [...plain].map(letterOf).join('')
}

function letterOf(character: string): string {
  // A small letter without a row may be drawn as its capital is.
  const found = prototypes.get(character) ?? prototypes.get(character.toUpperCase())
  const letter = found ?? character.normalize('NFKC').toLowerCase()
  return sameLetters[letter] ?? letter
}
