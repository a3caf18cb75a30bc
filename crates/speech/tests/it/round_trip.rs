//! Our own voice, transcribed again.

use super::*;

const SENTENCES: &[&str] = &[
    "Your meeting with Anna is on Friday at three in the afternoon.",
    "I found two documents about the refund policy.",
    "Refunds are paid to the customer's account within five days.",
    "The order costs 42 dollars and ships on the 3rd of March.",
    "Shall I send the invitation to both of them?",
    "The office opens at 9:30 and closes at 18:00.",
    "Please say yes or no.",
    "There are 1,250 records in the knowledge base.",
    "About 15% of the customers live in Canada.",
    "I could not find anything about that.",
];

#[test]
fn what_is_spoken_is_understood() {
    let (mut wrong, mut all) = (0, 0);
    for sentence in SENTENCES {
        let found = engine().transcribe(&said(sentence)).unwrap();
        let (expected, heard) = (words(sentence), words(&found.text));
        wrong += errors(&expected, &heard);
        all += expected.len();
        eprintln!("{sentence}\n  {} ({:.2})", found.text, found.confidence);
    }
    eprintln!("{wrong} of {all} words");
    assert!(wrong * 100 <= all * 8, "{wrong} of {all} words are wrong");
}

#[test]
fn digits_are_spoken() {
    let with_digits = engine().speak("It costs 42 dollars.").unwrap();
    let in_words = engine().speak("It costs forty two dollars.").unwrap();
    assert_eq!(with_digits.samples.len(), in_words.samples.len());
}

#[test]
fn the_groups_of_a_sentence_are_its_words() {
    let sentence = "I found two documents about refunds, and one about returns.";
    let speech = engine().speak(sentence).unwrap();
    let words: String = speech.groups.iter().map(|(words, _)| words.as_str()).collect();
    assert_eq!(words, sentence);
    assert_eq!(speech.groups.last().map(|(_, end)| *end), Some(speech.samples.len()));
    assert!(speech.groups.is_sorted_by_key(|(_, end)| *end));
}
