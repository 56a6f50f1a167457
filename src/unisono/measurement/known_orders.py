"""Words with a well-known order, in English, German, French and Spanish."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

_Label = TypeVar("_Label")

FEWEST_LABELS = 3
"""The order of two labels does not matter."""
_MOST_LABELS = 100
"""No scale has as many steps as this."""
_ENGLISH = (
    "very low, low, mid/middle/medium/moderate/average, high, very high",
    "none/no/absent, minimal/very mild/trace, weak/mild/slight/low, moderate/medium/mid, strong/severe/high/serious, "
    "extreme/very severe/very strong/critical",
    "very weak, weak, moderate/medium, strong, very strong",
    "very small/xs/tiny, small/s, medium/middle/mid/m, large/big/l, very large/xl/huge",
    "very short, short, medium/middle, long, very long",
    "never, almost never/hardly ever/very rarely, rarely/seldom, sometimes/occasionally, often/frequently, "
    "usually/mostly/very often/very frequently/most of the time, almost always/nearly always, always",
    "very bad/very poor/terrible, bad/poor, fair/average/ok/okay/neutral/acceptable/mediocre, good, very good, "
    "excellent/outstanding",
    "insufficient/unsatisfactory/fail, sufficient/satisfactory/pass, good/merit, very good, excellent/distinction",
    "very negative, negative/neg, slightly negative/somewhat negative, neutral, "
    "slightly positive/somewhat positive, positive/pos, very positive",
    "strongly disagree/completely disagree/totally disagree/fully disagree, disagree, "
    "somewhat disagree/slightly disagree/rather disagree/tend to disagree, "
    "neutral/undecided/neither/neither agree nor disagree/neither disagree nor agree/neither nor, "
    "somewhat agree/slightly agree/rather agree/tend to agree, agree, "
    "strongly agree/completely agree/totally agree/fully agree",
    "impossible, very unlikely/extremely unlikely, unlikely/improbable, somewhat unlikely, "
    "possible/neutral/neither likely nor unlikely, somewhat likely, likely/probable, very likely/extremely likely, "
    "certain",
    "no/definitely no/definitely not, rather no/probably not/probably no, "
    "unsure/maybe/perhaps/partly/partially/in part/somewhat, rather yes/probably yes/probably, yes/definitely yes/"
    "definitely",
    "not at all, slightly/a little/a little bit/hardly, somewhat/moderately/to some extent, "
    "very/quite/quite a bit/considerably/very much, extremely/completely/fully/entirely",
    "not important/unimportant/not at all important, slightly important/of little importance, "
    "moderately important/somewhat important/neutral, important, very important, extremely important/essential",
    "very dissatisfied/very unsatisfied, dissatisfied/unsatisfied, neutral/neither satisfied nor dissatisfied, "
    "satisfied, very satisfied",
    "irrelevant/not relevant, marginally relevant/slightly relevant, "
    "partially relevant/partly relevant/somewhat relevant/fairly relevant, relevant, very relevant/highly relevant, "
    "perfectly relevant",
    "incorrect/wrong/false, mostly incorrect/mostly wrong/mostly false, partially correct/partly correct/half true, "
    "mostly correct/mostly true, correct/right/true",
    "none/no/nothing, few/a few/a little/little, some/several, many/much/a lot, most, all/everything",
    "beginner/novice, elementary, intermediate, advanced, proficient/expert",
    "very easy, easy, medium/moderate/average, hard/difficult, very hard/very difficult",
    "very unclear, unclear, neutral, clear, very clear",
    "much worse, worse/slightly worse/somewhat worse, same/equal/about the same/the same/no change, "
    "better/slightly better/somewhat better, much better",
    "a1, a2, b1, b2, c1, c2",
)
_GERMAN = (
    "sehr niedrig/sehr gering, niedrig/gering, mittel/mäßig/moderat/durchschnittlich, hoch, sehr hoch",
    "sehr klein, klein, mittel/mittelgroß, groß, sehr groß",
    "sehr kurz, kurz, mittel/mittellang, lang, sehr lang",
    "keine/kein/keiner/nicht vorhanden, sehr schwach/sehr leicht/minimal, schwach/leicht/gering, "
    "mittel/mäßig/mittelmäßig/mittelschwer/moderat, stark/schwer, sehr stark/sehr schwer/extrem",
    "überhaupt nicht/gar nicht, wenig/kaum/ein wenig/etwas/ein bisschen, teils teils/mittelmäßig/teilweise/mittel, "
    "ziemlich/überwiegend/stark, sehr/sehr stark, völlig/voll und ganz/vollkommen/äußerst",
    "nie/niemals, fast nie/sehr selten, selten, manchmal/gelegentlich/ab und zu, oft/häufig, "
    "meistens/meist/sehr oft/sehr häufig, fast immer, immer/stets",
    "sehr schlecht, schlecht, mittel/mittelmäßig/neutral/durchschnittlich/ok/okay/teils teils/akzeptabel, gut, "
    "sehr gut, ausgezeichnet/hervorragend/exzellent",
    "ungenügend/nicht genügend, mangelhaft, ausreichend/genügend, befriedigend, gut, sehr gut",
    "sehr negativ, negativ, eher negativ, neutral, eher positiv, positiv, sehr positiv",
    "stimme überhaupt nicht zu/stimme gar nicht zu/stimme absolut nicht zu/lehne völlig ab/lehne stark ab, "
    "stimme nicht zu/lehne ab, stimme eher nicht zu/lehne eher ab, "
    "neutral/unentschieden/weder noch/teils teils/weiß nicht recht/stimme teilweise zu/stimme teils zu, "
    "stimme eher zu, stimme zu, stimme voll zu/stimme völlig zu/stimme voll und ganz zu/stimme stark zu/"
    "stimme vollkommen zu",
    "trifft überhaupt nicht zu/trifft gar nicht zu, trifft nicht zu, trifft eher nicht zu/trifft kaum zu/"
    "trifft wenig zu, teils teils/weder noch/trifft teilweise zu/trifft teils zu/neutral, "
    "trifft eher zu/trifft überwiegend zu, trifft zu, trifft voll zu/trifft völlig zu/trifft voll und ganz zu/"
    "trifft genau zu",
    "nein/auf keinen fall, eher nein/eher nicht, vielleicht/teilweise/teils/unsicher/teils teils/unklar, "
    "eher ja/eher schon, ja/auf jeden fall",
    "unmöglich, sehr unwahrscheinlich, unwahrscheinlich, möglich, wahrscheinlich, sehr wahrscheinlich, sicher",
    "unwichtig/nicht wichtig/völlig unwichtig, eher unwichtig/weniger wichtig/wenig wichtig, neutral/teils teils, "
    "eher wichtig, wichtig, sehr wichtig",
    "sehr unzufrieden, unzufrieden, eher unzufrieden, neutral/teils teils/weder noch, eher zufrieden, zufrieden, "
    "sehr zufrieden",
    "irrelevant/nicht relevant, teilweise relevant/wenig relevant/etwas relevant, relevant, sehr relevant",
    "falsch, teilweise richtig/teils richtig/teilweise korrekt/halb richtig, richtig/korrekt",
    "sehr leicht/sehr einfach, leicht/einfach, mittel/mittelschwer, schwer/schwierig, sehr schwer/sehr schwierig",
    "keine/nichts, wenige/wenig, einige/manche, viele/viel, die meisten, alle/alles",
    "anfänger, fortgeschritten/fortgeschrittene/fortgeschrittener, experte/profi",
    "viel schlechter, schlechter/etwas schlechter, gleich/unverändert/gleich gut, besser/etwas besser, viel besser",
)
_FRENCH = (
    "très faible/très bas/très basse, faible/bas/basse, moyen/moyenne/modéré/modérée, "
    "fort/forte/haut/haute/élevé/élevée, très fort/très forte/très haut/très haute/très élevé/très élevée",
    "très petit/très petite, petit/petite, moyen/moyenne, grand/grande, très grand/très grande",
    "très court/très courte, court/courte, moyen/moyenne, long/longue, très long/très longue",
    "aucun/aucune/nul/nulle/absent/absente, léger/légère/faible, modéré/modérée/moyen/moyenne, "
    "sévère/grave/fort/forte, extrême/très grave/très sévère",
    "pas du tout/nullement, peu/un peu/légèrement/à peine, moyennement/modérément/assez/plus ou moins, "
    "beaucoup/très/plutôt, énormément/tout à fait/extrêmement/totalement",
    "jamais, presque jamais/très rarement, rarement, parfois/quelquefois/de temps en temps/occasionnellement, "
    "souvent/fréquemment, très souvent/la plupart du temps/très fréquemment, presque toujours, toujours",
    "très mauvais/très mauvaise/très mal, mauvais/mauvaise/mal, passable/moyen/moyenne/correct/correcte/neutre/"
    "acceptable, bon/bonne/bien, très bon/très bonne/très bien, excellent/excellente",
    "insuffisant/insuffisante, passable, assez bien, bien, très bien, excellent",
    "très négatif/très négative, négatif/négative, plutôt négatif/plutôt négative, neutre, "
    "plutôt positif/plutôt positive, positif/positive, très positif/très positive",
    "pas du tout d'accord/tout à fait en désaccord/fortement en désaccord/totalement en désaccord, "
    "pas d'accord/en désaccord, plutôt pas d'accord/plutôt en désaccord, "
    "neutre/ni d'accord ni pas d'accord/ni d'accord ni en désaccord/ni en accord ni en désaccord/indécis/indécise, "
    "plutôt d'accord/plutôt en accord, d'accord/en accord, "
    "tout à fait d'accord/fortement d'accord/totalement d'accord/entièrement d'accord",
    "non, plutôt non, peut-être/partiellement/en partie/incertain, plutôt oui, oui",
    "impossible, très improbable/très peu probable, improbable/peu probable, possible/neutre, probable, "
    "très probable, certain",
    "pas important/pas important du tout/pas du tout important/sans importance, peu important, "
    "assez important/moyennement important/neutre, important, très important, extrêmement important/essentiel",
    "très insatisfait/très insatisfaite/pas du tout satisfait/pas du tout satisfaite, "
    "insatisfait/insatisfaite/peu satisfait/peu satisfaite, neutre, "
    "satisfait/satisfaite/plutôt satisfait/plutôt satisfaite, "
    "très satisfait/très satisfaite/tout à fait satisfait/tout à fait satisfaite",
    "non pertinent/pas pertinent, peu pertinent/partiellement pertinent, pertinent, très pertinent",
    "faux/incorrect, partiellement vrai/partiellement correct/en partie correct, vrai/correct/juste",
    "très facile, facile, moyen/moyenne, difficile, très difficile",
    "débutant/débutante, intermédiaire, avancé/avancée, expert/experte",
    "beaucoup moins bon/bien pire, moins bon/pire, identique/pareil/égal/équivalent, meilleur/mieux, "
    "bien meilleur/beaucoup mieux",
)
_SPANISH = (
    "muy bajo/muy baja, bajo/baja, medio/media/moderado/moderada, alto/alta, muy alto/muy alta",
    "muy pequeño/muy pequeña, pequeño/pequeña, mediano/mediana, grande, muy grande",
    "muy corto/muy corta, corto/corta, medio/media/mediano/mediana, largo/larga, muy largo/muy larga",
    "ninguno/ninguna/nulo/nula/ausente, leve/débil/ligero/ligera, moderado/moderada/medio/media, "
    "grave/severo/severa/fuerte, muy grave/extremo/extrema/muy fuerte",
    "nada/en absoluto, poco/un poco/apenas, algo/regular/moderadamente, bastante, mucho/muy, "
    "muchísimo/totalmente/completamente",
    "nunca/jamás, casi nunca/muy rara vez, rara vez/raramente/raras veces/pocas veces, "
    "a veces/algunas veces/ocasionalmente/de vez en cuando, "
    "a menudo/frecuentemente/con frecuencia/muchas veces, muy a menudo/la mayoría de las veces/muy frecuentemente, "
    "casi siempre, siempre",
    "muy malo/muy mala/muy mal/pésimo/pésima, malo/mala/mal, regular/neutro/neutra/neutral/aceptable/normal, "
    "bueno/buena/bien, muy bueno/muy buena/muy bien, excelente",
    "suspenso/insuficiente, suficiente/aprobado, bien, notable, sobresaliente, matrícula de honor",
    "muy negativo/muy negativa, negativo/negativa, algo negativo/algo negativa, neutro/neutra/neutral, "
    "algo positivo/algo positiva, positivo/positiva, muy positivo/muy positiva",
    "totalmente en desacuerdo/muy en desacuerdo/completamente en desacuerdo, en desacuerdo, "
    "algo en desacuerdo/más bien en desacuerdo/parcialmente en desacuerdo, "
    "neutral/neutro/ni de acuerdo ni en desacuerdo/indiferente/indeciso/indecisa, "
    "algo de acuerdo/más bien de acuerdo/parcialmente de acuerdo, de acuerdo, "
    "totalmente de acuerdo/muy de acuerdo/completamente de acuerdo",
    "no, más bien no/probablemente no, quizás/quizá/tal vez/en parte/parcialmente, más bien sí/probablemente sí, sí",
    "imposible, muy improbable/muy poco probable, improbable/poco probable, posible/neutral, probable, "
    "muy probable, seguro/segura",
    "nada importante/sin importancia/no importante, poco importante, algo importante/moderadamente importante/neutral, "
    "importante/bastante importante, muy importante, esencial/extremadamente importante",
    "muy insatisfecho/muy insatisfecha, insatisfecho/insatisfecha/poco satisfecho/poco satisfecha, "
    "neutral/neutro/indiferente/ni satisfecho ni insatisfecho, satisfecho/satisfecha, muy satisfecho/muy satisfecha",
    "irrelevante/no relevante, poco relevante/parcialmente relevante/algo relevante, relevante, muy relevante",
    "incorrecto/incorrecta/falso/falsa, parcialmente correcto/parcialmente correcta/en parte correcto, "
    "correcto/correcta/verdadero/verdadera",
    "muy fácil, fácil, medio/media/intermedio/intermedia/normal, difícil, muy difícil",
    "principiante, intermedio/intermedia, avanzado/avanzada, experto/experta",
    "mucho peor, peor/algo peor, igual, mejor/algo mejor, mucho mejor",
)
"""From the lower to the upper end; words for the same step are separated by a slash."""
_GERMAN_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_NUMBERED = re.compile(r"([+-]?\d{1,3})(?:\s*[-–—.:=)/]+\s*|\s+|(?=\())(.*\w.*)", re.DOTALL)
"""``1 - never``, ``1: never``, ``1) never``, ``1 (never)``, ``1 never``."""
_NUMBER_LAST = re.compile(r"(.*\w.*?)\s*[(\[]\s*([+-]?\d{1,3})\s*[)\]]", re.DOTALL)
"""``never (1)``."""
_GRADE = re.compile(r"([a-f])([+-]?)")
_SIGNS = {"-": -1, "": 0, "+": 1}


def known_order(labels: Sequence[_Label]) -> tuple[_Label, ...]:
    """Return three labels or more in their well-known order; an empty tuple if they have none.

    Labels are words in one of four languages (in capital letters or not, with accents or not), words with the number of
    the step (``1 - never``, ``never (1)``), or grades from A to F.

    >>> known_order(["high", "low", "mid"])
    ('low', 'mid', 'high')
    >>> known_order(["2", "1 - never", "3 (always)"])
    ('1 - never', '2', '3 (always)')
    """
    if not FEWEST_LABELS <= len(labels) <= _MOST_LABELS:
        return ()
    steps = [_step(label) for label in labels]
    numbers = [step.number for step in steps]
    if None not in numbers and any(step.words for step in steps):
        return _in_order(labels, numbers)
    words = [step.words for step in steps]
    for ranks in _RANKS:
        if order := _in_order(labels, [ranks.get(word) for word in words]):
            return order
    return _in_order(labels, _grades([str(label).strip().casefold() for label in labels]))


class _Step(NamedTuple):
    """A label as a step of a scale: its number, if it is written, and its words."""

    number: int | None
    words: str


def _step(label: object) -> _Step:
    text = str(label).strip()
    if re.fullmatch(r"[+-]?\d{1,3}", text):
        return _Step(int(text), "")
    if first := _NUMBERED.fullmatch(text):
        return _Step(int(first[1]), _folded(first[2]))
    if last := _NUMBER_LAST.fullmatch(text):
        return _Step(int(last[2]), _folded(last[1]))
    return _Step(None, _folded(text))


def _folded(text: str) -> str:
    """Return words without capital letters, accents, hyphens and other marks."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(" " if not (one.isalnum() or unicodedata.combining(one)) else one for one in plain)
    return " ".join("".join(one for one in kept if not unicodedata.combining(one)).split())


def _grades(labels: Sequence[str]) -> list[int | None]:
    """Rank grades, the best one last; A, B and C alone are more often names, so there has to be an F, or a + or -."""
    found = [_GRADE.fullmatch(label) for label in labels]
    graded = any(one is not None and (one[1] == "f" or one[2]) for one in found)
    if not graded:
        return [None] * len(labels)
    return [None if one is None else 3 * (ord("f") - ord(one[1])) + _SIGNS[one[2]] for one in found]


def _in_order(labels: Sequence[_Label], ranks: Sequence[int | None]) -> tuple[_Label, ...]:
    """Sort labels by their ranks; nothing if one has none, or two have the same."""
    known = [rank for rank in ranks if rank is not None]
    if len(set(known)) < len(labels):
        return ()
    return tuple(label for _, label in sorted(zip(known, labels, strict=True), key=lambda pair: pair[0]))


def _ranks(scale: str) -> dict[str, int]:
    """Return the words of a scale with their ranks; ä may be written as ae."""
    return {
        _folded(spelled): rank
        for rank, words in enumerate(scale.split(", "))
        for word in words.split("/")
        for spelled in (word, word.translate(_GERMAN_LETTERS))
    }


_RANKS = [_ranks(scale) for scale in (*_ENGLISH, *_GERMAN, *_FRENCH, *_SPANISH)]
