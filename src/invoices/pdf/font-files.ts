// Names the font files that PDFs are set in, and the script that each one is for (decision 099).

export type FontFiles = {
  /** URLs of TrueType files, or of one in a WOFF file. */
  readonly regular: () => string;
  /** Null for a font with one weight. */
  readonly bold: (() => string) | null;
};

/** Latin, Greek, Cyrillic, Devanagari, punctuation and signs. Most documents need no other. */
export const BASE = 'noto-sans';

/** Every other character of the Basic Multilingual Plane, drawn coarsely. */
export const LAST_RESORT = 'unifont';

const noto = (script: string, name: string): FontFiles => ({
  regular: () => import.meta.resolve(`@expo-google-fonts/${script}/400Regular/${name}_400Regular.ttf`),
  bold: () => import.meta.resolve(`@expo-google-fonts/${script}/700Bold/${name}_700Bold.ttf`),
});

/** Resolved when they are needed: a document in Latin letters opens two files. */
export const FONT_FILES = {
  'noto-sans': noto('noto-sans', 'NotoSans'),
  'noto-naskh-arabic': noto('noto-naskh-arabic', 'NotoNaskhArabic'),
  'noto-sans-armenian': noto('noto-sans-armenian', 'NotoSansArmenian'),
  'noto-sans-bengali': noto('noto-sans-bengali', 'NotoSansBengali'),
  'noto-sans-ethiopic': noto('noto-sans-ethiopic', 'NotoSansEthiopic'),
  'noto-sans-georgian': noto('noto-sans-georgian', 'NotoSansGeorgian'),
  'noto-sans-gujarati': noto('noto-sans-gujarati', 'NotoSansGujarati'),
  'noto-sans-gurmukhi': noto('noto-sans-gurmukhi', 'NotoSansGurmukhi'),
  'noto-sans-hebrew': noto('noto-sans-hebrew', 'NotoSansHebrew'),
  'noto-sans-kannada': noto('noto-sans-kannada', 'NotoSansKannada'),
  'noto-sans-khmer': noto('noto-sans-khmer', 'NotoSansKhmer'),
  'noto-sans-lao': noto('noto-sans-lao', 'NotoSansLao'),
  'noto-sans-malayalam': noto('noto-sans-malayalam', 'NotoSansMalayalam'),
  'noto-sans-myanmar': noto('noto-sans-myanmar', 'NotoSansMyanmar'),
  'noto-sans-oriya': noto('noto-sans-oriya', 'NotoSansOriya'),
  'noto-sans-sinhala': noto('noto-sans-sinhala', 'NotoSansSinhala'),
  'noto-sans-tamil': noto('noto-sans-tamil', 'NotoSansTamil'),
  'noto-sans-telugu': noto('noto-sans-telugu', 'NotoSansTelugu'),
  'noto-sans-thai': noto('noto-sans-thai', 'NotoSansThai'),
  'nanum-gothic-coding': noto('nanum-gothic-coding', 'NanumGothicCoding'),
  'chocolate-classical-sans': {
    ...noto('chocolate-classical-sans', 'ChocolateClassicalSans'),
    bold: null,
  },
  unifont: {
    regular: () => import.meta.resolve('@fontsource/unifont/files/unifont-latin-400-normal.woff'),
    bold: null,
  },
} as const satisfies Record<string, FontFiles>;

export type FontName = keyof typeof FONT_FILES;

/** The font that a character is looked up in after the base. */
export const SCRIPT_FONTS: ReadonlyArray<readonly [RegExp, FontName]> = [
  [
    /\p{Script_Extensions=Han}|\p{Script_Extensions=Hiragana}|\p{Script_Extensions=Katakana}|[\u3000-\u303f\uff00-\uffef]/u,
    'chocolate-classical-sans',
  ],
  [/\p{Script=Hangul}/u, 'nanum-gothic-coding'],
  [/\p{Script_Extensions=Arabic}/u, 'noto-naskh-arabic'],
  [/\p{Script=Armenian}/u, 'noto-sans-armenian'],
  [/\p{Script=Bengali}/u, 'noto-sans-bengali'],
  [/\p{Script=Ethiopic}/u, 'noto-sans-ethiopic'],
  [/\p{Script=Georgian}/u, 'noto-sans-georgian'],
  [/\p{Script=Gujarati}/u, 'noto-sans-gujarati'],
  [/\p{Script=Gurmukhi}/u, 'noto-sans-gurmukhi'],
  [/\p{Script=Hebrew}/u, 'noto-sans-hebrew'],
  [/\p{Script=Kannada}/u, 'noto-sans-kannada'],
  [/\p{Script=Khmer}/u, 'noto-sans-khmer'],
  [/\p{Script=Lao}/u, 'noto-sans-lao'],
  [/\p{Script=Malayalam}/u, 'noto-sans-malayalam'],
  [/\p{Script=Myanmar}/u, 'noto-sans-myanmar'],
  [/\p{Script=Oriya}/u, 'noto-sans-oriya'],
  [/\p{Script=Sinhala}/u, 'noto-sans-sinhala'],
  [/\p{Script=Tamil}/u, 'noto-sans-tamil'],
  [/\p{Script=Telugu}/u, 'noto-sans-telugu'],
  [/\p{Script=Thai}/u, 'noto-sans-thai'],
];
