//! The text of a page without markup.

use super::page::{Page, read};

fn text(html: &str) -> String {
    read(html).text
}

#[test]
fn a_page_is_its_words_with_the_headings_of_markdown() {
    let html = r#"<!DOCTYPE html>
<html><head><title>Render &amp; farm</title><meta charset="utf-8">
<style>p > b { color: red }</style><script>if (a < b) { document.write("<p>no</p>"); }</script></head>
<body><h1>The <em>farm</em></h1><p>Book machines
   before&nbsp;noon.</p><!-- <p>hidden</p> -->
<h2>Queue</h2><ul><li>first <b>come</b></li><li>first served</li></ul>
<table><tr><th>Day</th><td>Monday</td></tr><tr><td>caf&eacute; &#8364;&#x20AC;</td></tr></table>
<pre>  a
    b</pre>one<br>two</body></html>"#;
    let expected = "# The farm\n\nBook machines before noon.\n\n## Queue\n\n- first come\n\
                    - first served\n\nDay Monday\ncafé €€\n\n  a\n    b\n\none\ntwo";
    assert_eq!(read(html), Page { title: Some("Render & farm".into()), text: expected.into() });
}

#[test]
fn the_first_heading_is_the_title_of_a_page_without_one() {
    assert_eq!(read("<h2>Who we <i>are</i></h2>x").title.as_deref(), Some("Who we are"));
    assert_eq!(read("<title> </title><h1>Us</h1>").title.as_deref(), Some("Us"));
    assert_eq!(read("<svg><title>icon</title></svg><p>text</p>").title, None);
}

#[test]
fn elements_that_are_not_shown_are_left_out() {
    for hidden in [
        "<script>var a = '</scrip' + 't>';</script>",
        "<SCRIPT type=\"x\">no</SCRIPT >",
        "<style>a{}</style>",
        "<template><p>no<template>no</template>no</p></template>",
        "<noscript>no</noscript>",
        "<svg><path d=\"M0\"/><text>no</text></svg>",
        "<!-- no -- > no -->",
        "<?php no ?>",
        "<!DOCTYPE no>",
        "<input value=\"a > no\" title='b > no'>",
        "<textarea>no</textarea>",
    ] {
        assert_eq!(text(&format!("<p>before {hidden}after</p>")), "before after", "{hidden}");
    }
}

#[test]
fn broken_markup_does_no_harm() {
    assert_eq!(text("a < b and b > c"), "a < b and b > c");
    assert_eq!(text("1<2 &amp &nosuch; &#xFFFFFFFF;"), "1<2 &amp &nosuch; &#xFFFFFFFF;");
    assert_eq!(text("<p>open <b>bold"), "open bold");
    assert_eq!(text("</div></p>text</script>"), "text");
    assert_eq!(text("text<script>never closed"), "text");
    assert_eq!(text("text<!-- never closed"), "text");
    assert_eq!(text("text <a href=\"never closed"), "text");
    assert_eq!(text("it<wbr>self, in<b>side</b>"), "itself, inside");
    assert_eq!(text("<p class=a\">quote</p>"), "quote");
}

proptest::proptest! {
    #[test]
    fn any_text_is_a_page(html in proptest::prelude::any::<String>(), tags in "[<>/a-ch1-3p!&;\"'= -]{0,80}") {
        read(&html);
        read(&tags);
    }
}
